// Additions to an index on HBase. Texts of calls that arrive together are added by one commit.
#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/hbase/home.hpp"

namespace leitong::online {
namespace {

// The compressed bytes at which a commit ends: it is one cell, of which HBase takes 10 MB.
constexpr std::size_t kBytesInCommit = std::size_t{3} << 20;
constexpr std::size_t kMostPacked = std::size_t{9} << 20;

}  // namespace

Result<std::vector<Answer>> HBaseHome::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                           ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped(texts, look, wanted, true));
  std::vector<Answer> answers(texts.size());
  Request request;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CheckedText& text = checked[i];
    if (text.verdict != Verdict::refused && text.packed.size() > kMostPacked) {
      text.verdict = Verdict::refused;
      text.reason = fmt::format("the text has {} bytes when it is compressed; HBase takes {}",
                                text.packed.size(), kMostPacked);
    }
    if (text.verdict == Verdict::refused)
      answers[i] = {.verdict = Verdict::refused, .reason = text.reason};
    else
      request.texts.push_back({&text, &answers[i], {}});
  }
  LEITONG_TRY(turns_.wait(request, [&](Turns<Request>::Turn& turn) {
    std::vector<Arriving> together;
    for (const Request* one : turn.take())
      together.insert(together.end(), one->texts.begin(), one->texts.end());
    turn.answer(add_together(together));
  }));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

// A commit has each id only once, so that the second text with an id is compared with the first one.
Result<void> HBaseHome::add_together(std::span<Arriving> texts) {
  while (!texts.empty()) {
    std::set<std::string_view> ids;
    std::size_t bytes = 0;
    while (ids.size() < std::min(kTextsInCommit, texts.size())) {
      const CheckedText& next = *texts[ids.size()].text;
      bytes += next.packed.size();
      if ((!ids.empty() && bytes > kBytesInCommit) || !ids.insert(next.id).second) break;
    }
    const std::span<Arriving> some = texts.first(ids.size());
    LEITONG_TRY(change_index([&](HBaseChange& change) { return add_some(some, change); }));
    for (const Arriving& one : some)
      if (!one.answer->known && one.answer->verdict != Verdict::refused) checks_.count(one.answer->bounds);
    texts = texts.subspan(some.size());
  }
  return {};
}

// False if the index has all of them.
Result<bool> HBaseHome::add_some(std::span<Arriving> texts, HBaseChange& change) {
  std::vector<std::string> ids;
  for (const Arriving& one : texts) ids.emplace_back(one.text->id);
  LEITONG_ASSIGN(const auto known, read(ids));
  std::vector<Arriving> coming;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const CheckedText& text = *texts[i].text;
    if (known[i]) {
      LEITONG_ASSIGN(*texts[i].answer, answer_of_known(*known[i], text));
      continue;
    }
    HBaseText entry;
    entry.number = change.after.next++;
    entry.label = {std::string(text.id), std::string(text.source), text.time, text.expires};
    entry.stamp = *text.stamp;
    entry.packed_bytes = static_cast<std::uint32_t>(text.packed.size());
    entry.text_bytes = text.packed.empty() ? 0 : static_cast<std::uint32_t>(text.text.size());
    entry.text_hash = XXH3_64bits(text.text.data(), text.text.size());
    entry.holds = true;
    coming.push_back({texts[i].text, texts[i].answer, std::move(entry)});
  }
  if (coming.empty()) return false;
  LEITONG_TRY(decide(coming, change));
  for (const Arriving& one : coming) {
    ++change.after.counts.at(static_cast<std::size_t>(one.entry.verdict));
    HBaseRow row{text_key(one.entry.label.id), {{"s", bytes_of_entry(one.entry, width_)}}};
    if (!one.text->packed.empty()) row.cells.push_back({"t", one.text->packed});
    change.put(row);
    change.tell({false, one.entry.name()});
    for (const HBaseRow& other : rows_of(one.entry)) change.put(other);
  }
  return true;
}

Result<Answer> HBaseHome::answer_of_known(const HBaseText& known, const CheckedText& text) {
  if (known.stamp != text.stamp || known.text_hash != XXH3_64bits(text.text.data(), text.text.size()))
    return Answer{.verdict = Verdict::refused,
                  .reason = "the index has another text under this id; remove that one first"};
  Answer answer{.verdict = known.verdict, .known = true};
  std::vector<HBaseName> match;
  if (known.verdict == Verdict::exact) {
    const ContentDigest* const content = &*known.stamp.digest;
    LEITONG_ASSIGN(match, representatives({&content, 1}));
  } else if (known.verdict == Verdict::near) {
    LEITONG_ASSIGN(match, family_representatives({&known, 1}));
  }
  if (match.empty() || match[0].id == known.label.id) return answer;
  LEITONG_ASSIGN(const auto entry, read(match));
  if (!entry[0]) return answer;
  if (known.verdict == Verdict::exact) {
    answer.match = match_of(entry[0]->row(), copies_of_one(0, 0, true), {});
  } else {
    LEITONG_ASSIGN(answer.match, near_match(*entry[0], known, text));
  }
  return answer;
}

}  // namespace leitong::online
