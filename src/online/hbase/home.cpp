#include "online/hbase/home.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/hbase/fingerprints.hpp"
#include "online/hbase/texts.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {
namespace {

// Rows, and texts, of a list that are read at once.
constexpr std::uint32_t kPage = 500;
// Bytes of compressed texts that are read at once.
constexpr std::size_t kBytesAtOnce = std::size_t{8} << 20;
// Counts of a writer.
const std::string kCounts = "counts:";

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

HBaseHome::HBaseHome(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription& index)
    : ServerHome(context, std::move(index.scheme), "HBase", link->address().shown()),
      link_(std::move(link)),
      wide_(index.wide),
      bits_(scheme_->spec().bits),
      width_(bits_ / 8),
      secret_(index.secret),
      writer_(random_number()) {}

// Larger than the one before, so that the texts of one client come in the order of its calls.
std::uint64_t HBaseHome::now() {
  using std::chrono::microseconds;
  const auto clock = static_cast<std::uint64_t>(
      std::chrono::duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
  std::uint64_t last = last_time_;
  while (!last_time_.compare_exchange_weak(last, std::max(clock, last + 1))) {
  }
  return std::max(clock, last + 1);
}

Result<std::vector<HBaseKnown>> HBaseHome::read(std::span<const std::string> ids) {
  std::vector<HBaseGet> gets;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) continue;
    gets.push_back({text_key(ids[i]), "s"});
    asked.push_back(i);
  }
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<HBaseKnown> known(ids.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const HBaseCell& cell : rows[r]) {
      const std::size_t i = asked[r];
      if (!read_entry(cell.value, width_, known[i].entry) || known[i].entry.label.id != ids[i])
        return link_->not_understood("what is known of a text");
      known[i].bytes = cell.value;
    }
  return known;
}
Result<HBaseKnown> HBaseHome::read(const std::string& id) {
  LEITONG_ASSIGN(std::vector<HBaseKnown> known, read({&id, 1}));
  return std::move(known[0]);
}

Result<std::vector<HBaseName>> HBaseHome::representatives(std::span<const ContentDigest* const> contents) {
  std::vector<HBaseGet> gets;
  for (const ContentDigest* content : contents) gets.push_back({content_key(*content), "h"});
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<HBaseName> names(contents.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const HBaseCell& cell : rows[i])
      if (!cell.value.empty() && !read_name(cell.value, names[i]))
        return link_->not_understood("who holds a content");
  return names;
}

Result<std::vector<HBaseName>> HBaseHome::heads(std::span<const HBaseKnown> texts) {
  std::vector<HBaseGet> gets;
  for (const HBaseKnown& text : texts) gets.push_back({family_key(text.entry.first), "h"});
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<HBaseName> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    names.push_back(texts[i].entry.first);
    for (const HBaseCell& cell : rows[i])
      if (!cell.value.empty() && !read_name(cell.value, names[i]))
        return link_->not_understood("who stands for a family");
  }
  return names;
}

// The rows that list a text from its arrival on.
std::vector<HBaseRow> HBaseHome::lists(const HBaseText& entry) const {
  std::vector<HBaseRow> rows = {{arrival_key(entry.name()), {{"n", ""}}}};
  if (!entry.label.source.empty())
    rows.push_back({source_key(entry.label.source) + entry.label.id, {{"n", ""}}});
  if (entry.label.expires) rows.push_back({expiry_key(*entry.label.expires, entry.label.id), {{"n", ""}}});
  return rows;
}

HBaseHome::Change HBaseHome::change(HBaseKnown& known, HBaseText to) const {
  HBaseCheckedPut put{"s", known.bytes, {text_key(to.label.id), {{"s", bytes_of_entry(to, width_)}}}};
  return {&known, std::move(to), std::move(put)};
}

Result<std::vector<bool>> HBaseHome::make(std::vector<Change> changes) {
  std::vector<HBaseCheckedPut> puts;
  puts.reserve(changes.size());
  for (Change& one : changes) puts.push_back(std::move(one.put));
  LEITONG_ASSIGN(std::vector<bool> made, link_->put_if(puts, HBaseLink::Order::any));
  std::vector<std::string> ids(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!made.at(i)) ids[i] = changes[i].to.label.id;
  LEITONG_ASSIGN(std::vector<HBaseKnown> now, read(ids));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::string& bytes = puts[i].put.cells[0].value;
    if (made[i]) {
      *changes[i].known = {std::move(changes[i].to), std::move(bytes)};
    } else {
      made[i] = now[i].bytes == bytes;  // it was written, and the answer was lost
      *changes[i].known = std::move(now[i]);
    }
  }
  return made;
}

Result<bool> HBaseHome::change_one(HBaseKnown& known, HBaseText to) {
  std::vector<Change> changes;
  changes.push_back(change(known, std::move(to)));
  LEITONG_ASSIGN(const std::vector<bool> made, make(std::move(changes)));
  return made[0];
}

Result<void> HBaseHome::raise(HBaseKnown& known) {
  HBaseText raised = known.entry;
  ++raised.round;
  // Another client was faster: the entry now says whether the text is still pending.
  LEITONG_TRY(change_one(known, raised));
  return {};
}

void HBaseHome::count(Verdict verdict, int change) {
  const std::scoped_lock lock(counts_mutex_);
  counts_.at(static_cast<std::size_t>(verdict)) += change;
  counted_ = true;
}

// Each writer has a cell with its own sums, so that writing it twice does no harm.
Result<void> HBaseHome::put_counts() {
  const std::scoped_lock lock(counts_mutex_);
  if (!counted_) return {};
  std::string sums;
  for (const std::int64_t sum : counts_) sums.append(value_bytes(sum));
  const std::string column = kCounts + key_of(writer_);
  LEITONG_TRY(link_->put({{meta_key(), {{column, sums}}}}));
  counted_ = false;
  return {};
}

/// The numbers of new, near and exact texts. `own`: uses the present counts of this writer instead of those
/// that it has written.
Result<std::array<std::int64_t, 3>> HBaseHome::sums_of_counts(bool own) {
  LEITONG_ASSIGN(const auto rows, link_->get({{.key = meta_key()}}));
  std::array<std::int64_t, 3> sums{};
  const std::string mine = kCounts + key_of(writer_);
  if (own) {
    const std::scoped_lock lock(counts_mutex_);
    sums = counts_;
  }
  for (const HBaseCell& cell : rows[0]) {
    if (!cell.column.starts_with(kCounts) || (own && cell.column == mine)) continue;
    std::string_view bytes = cell.value;
    for (std::int64_t& sum : sums) {
      std::int64_t one = 0;
      if (!take_value(bytes, one)) return link_->not_understood("the counts");
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(one));
    }
  }
  return sums;
}

Result<std::uint64_t> HBaseHome::texts_counted() {
  LEITONG_ASSIGN(const auto sums, sums_of_counts(true));
  std::uint64_t texts = 0;
  for (const std::int64_t sum : sums) texts += static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
  return texts;
}

Result<Figures> HBaseHome::figures() {
  LEITONG_ASSIGN(const auto sums, sums_of_counts(false));
  const auto sum = [&](Verdict verdict) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sums.at(static_cast<std::size_t>(verdict)), 0));
  };
  Figures figures = figures_of(sum(Verdict::fresh), sum(Verdict::near), sum(Verdict::exact));
  LEITONG_TRY(add_figures(figures));
  return figures;
}

Result<Answer> HBaseHome::answer_of_known(const HBaseKnown& text) {
  Answer answer;
  answer.verdict = text.entry.verdict;
  HBaseName name;
  if (answer.verdict == Verdict::exact && text.entry.stamp.digest) {
    const ContentDigest* const content = &*text.entry.stamp.digest;
    LEITONG_ASSIGN(std::vector<HBaseName> names, representatives({&content, 1}));
    name = std::move(names[0]);
  } else if (answer.verdict == Verdict::near) {
    LEITONG_ASSIGN(std::vector<HBaseName> names, heads({&text, 1}));
    name = std::move(names[0]);
  }
  if (name.id.empty() || name.id == text.entry.label.id) return answer;
  LEITONG_ASSIGN(const HBaseKnown match, read(name.id));
  if (match.exists()) {
    LEITONG_ASSIGN(answer.match, match_of(match, text.entry));
  }
  return answer;
}

// Copies are found by the stamps, whatever texts are compared by.
Result<std::vector<CheckedText>> HBaseHome::stamped(std::span<const Text> texts, Look look,
                                                    bool to_be_added) {
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, secret_, look, to_be_added));
  for (CheckedText& text : checked)
    if (text.verdict != Verdict::refused && !text.stamp)
      text.stamp = Stamp{{}, content_digest(text.text, text.keys.units)};
  return checked;
}

Result<std::vector<Answer>> HBaseHome::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  constexpr std::size_t kInPart = 256;
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped(texts, look, false));
  for (CheckedText& text : checked) text.id = {};  // the index does not have it under this id
  std::vector<Answer> answers;
  for (std::span<CheckedText> left = checked; !left.empty();) {
    const std::span<CheckedText> part = left.first(std::min(kInPart, left.size()));
    LEITONG_ASSIGN(std::vector<Answer> some, answers_of(part, wanted));
    for (const Answer& answer : some)
      if (answer.verdict != Verdict::refused) checks_.count(answer.bounds);
    std::ranges::move(some, std::back_inserter(answers));
    left = left.subspan(part.size());
  }
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<std::vector<std::string>> HBaseHome::packed(std::span<const HBaseKnown> texts) {
  std::vector<std::string> all(texts.size());
  for (std::size_t first = 0; first < texts.size();) {
    std::vector<HBaseGet> gets;
    std::size_t end = first, bytes = 0;
    for (; end < texts.size() && bytes < kBytesAtOnce; ++end) {
      gets.push_back({text_key(texts[end].entry.label.id), "t"});
      bytes += texts[end].entry.packed_bytes;
    }
    LEITONG_ASSIGN(auto rows, link_->get(gets));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (HBaseCell& cell : rows[i]) all[first + i] = std::move(cell.value);
    first = end;
  }
  return all;
}

Result<std::vector<std::optional<Stored>>> HBaseHome::stored(std::span<const HBaseKnown> texts) {
  LEITONG_ASSIGN(const std::vector<HBaseName> names, heads(texts));
  LEITONG_ASSIGN(std::vector<std::string> bytes, packed(texts));
  std::vector<std::optional<Stored>> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const HBaseText& entry = texts[i].entry;
    Row row;
    row.id = entry.label.id;
    row.verdict = entry.verdict;
    row.source = entry.label.source;
    row.time = entry.label.time;
    row.expires = entry.label.expires;
    row.stamp = entry.stamp;
    row.text_bytes = entry.text_bytes;
    row.packed = std::move(bytes[i]);
    if (row.packed.size() != entry.packed_bytes) {
      // It was removed meanwhile, or it is damaged.
      LEITONG_ASSIGN(const HBaseKnown again, read(row.id));
      if (again.bytes == texts[i].bytes) return link_->not_understood("a text");
      all.emplace_back();
      continue;
    }
    const bool other = names[i].id != row.id;
    LEITONG_ASSIGN(all.emplace_back(), stored_of(std::move(row), other ? names[i].id : std::string()));
  }
  return all;
}

Result<std::vector<std::optional<Stored>>> HBaseHome::get_all(std::span<const std::string> ids) {
  LEITONG_ASSIGN(std::vector<HBaseKnown> known, read(ids));
  std::vector<HBaseKnown> there;
  for (HBaseKnown& text : known)
    if (text.exists() && !text.is(HBaseText::Stage::pending)) there.push_back(std::move(text));
  LEITONG_ASSIGN(std::vector<std::optional<Stored>> found, stored(there));
  // Back into the order of the request; several ids may be equal.
  std::map<std::string, std::optional<Stored>> by_id;
  for (std::optional<Stored>& one : found)
    if (one) by_id[one->id] = std::move(one);
  std::vector<std::optional<Stored>> all;
  for (const std::string& id : ids) {
    const auto one = by_id.find(id);
    all.push_back(one == by_id.end() ? std::nullopt : one->second);
  }
  return all;
}

Result<void> HBaseHome::each_of(std::string begin, const std::string& end, std::size_t behind,
                                const EachPage& each) {
  for (;;) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(const auto pages, link_->scan({{begin, end, kPage}}));
    std::vector<std::string> listed;
    for (const HBaseRow& row : pages[0]) {
      if (row.key.size() <= behind) return link_->not_understood("a list");
      listed.push_back(row.key.substr(behind));
    }
    LEITONG_ASSIGN(const bool more, each(listed));
    if (!more || pages[0].size() < kPage) return {};
    begin = pages[0].back().key + '\0';
  }
}

// Each part is in order; this merges the parts.
Result<void> HBaseHome::for_each_stored(const std::string* source, const EachStored& each) {
  struct Arrivals {
    std::string begin, end;
    std::vector<HBaseName> names;
    std::size_t at = 0;
    bool over = false;
  };
  std::array<Arrivals, kParts> parts;
  for (unsigned p = 0; p < kParts; ++p) {
    parts[p].begin = arrivals_part(p);
    parts[p].end = end_of(parts[p].begin);
  }
  const auto fill = [&](Arrivals& part) -> Result<void> {
    part.names.clear();
    part.at = 0;
    LEITONG_ASSIGN(const auto pages, link_->scan({{part.begin, part.end, kPage}}));
    for (const HBaseRow& row : pages[0])
      if (!read_name(std::string_view(row.key).substr(std::min(row.key.size(), kPartBytes)),
                     part.names.emplace_back()))
        return link_->not_understood("an arrival");
    part.over = pages[0].size() < kPage;
    if (!pages[0].empty()) part.begin = pages[0].back().key + '\0';
    return {};
  };
  for (bool any = true; any;) {
    std::vector<HBaseName> next;
    while (next.size() < kPage) {
      LEITONG_TRY(stop().check());
      Arrivals* first = nullptr;
      for (Arrivals& part : parts) {
        if (part.at == part.names.size() && !part.over) LEITONG_TRY(fill(part));
        if (part.at < part.names.size() &&
            (first == nullptr || part.names[part.at] < first->names[first->at]))
          first = &part;
      }
      if (first == nullptr) break;
      next.push_back(std::move(first->names[first->at++]));
    }
    any = !next.empty();
    std::vector<std::string> ids;
    ids.reserve(next.size());
    for (const HBaseName& name : next) ids.push_back(name.id);
    LEITONG_ASSIGN(std::vector<HBaseKnown> known, read(ids));
    std::vector<HBaseKnown> wanted;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i].seen_as(next[i]) && (source == nullptr || known[i].entry.label.source == *source))
        wanted.push_back(std::move(known[i]));
    // As many as fit in memory.
    for (std::span<const HBaseKnown> left = wanted; !left.empty();) {
      std::size_t count = 0, bytes = 0;
      while (count < left.size() && bytes < 4 * kBytesAtOnce) bytes += left[count++].entry.text_bytes;
      LEITONG_ASSIGN(const std::vector<std::optional<Stored>> texts, stored(left.first(count)));
      for (const std::optional<Stored>& text : texts)
        if (text) LEITONG_TRY(each(*text));
      left = left.subspan(count);
    }
  }
  return {};
}

// Texts that other clients add or remove meanwhile may be reported as damaged: then run it again.
Result<void> HBaseHome::verify() {
  std::vector<std::string> ids, texts;
  std::size_t bytes = 0;
  const auto check_some = [&]() -> Result<void> {
    LEITONG_TRY(verify_these(ids, texts));
    ids.clear();
    texts.clear();
    bytes = 0;
    return {};
  };
  LEITONG_TRY(for_each_stored(nullptr, [&](const Stored& text) -> Result<void> {
    ids.push_back(text.id);
    texts.push_back(text.text);
    bytes += text.text.size();
    if (ids.size() >= kPage || bytes >= kBytesAtOnce) return check_some();
    return {};
  }));
  return check_some();
}

Result<void> HBaseHome::verify_these(std::span<const std::string> ids, std::span<const std::string> texts) {
  LEITONG_ASSIGN(const std::vector<HBaseKnown> known, read(ids));
  const auto damaged = [&](std::size_t i, std::string_view what) {
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the text with the id \"{}\" {}", link_->address().shown(), ids[i], what));
  };
  // The cells that must exist, and the texts that they belong to.
  std::vector<HBaseGet> gets;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const HBaseText& entry = known[i].entry;
    if (!known[i].is(HBaseText::Stage::settled)) continue;
    LEITONG_ASSIGN(const std::string damage_of_text, damage(entry, texts[i]));
    if (!damage_of_text.empty()) return damaged(i, damage_of_text);
    if (entry.holds && entry.stamp.digest) gets.push_back({content_key(*entry.stamp.digest), "h"});
    if (entry.found())
      for (const HBaseRow& row : postings(entry)) gets.push_back({row.key, row.cells[0].column});
    whose.resize(gets.size(), i);
  }
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool by_content = gets[r].column == "h";
    HBaseName name;
    if (!rows[r].empty() && (!by_content || (read_name(rows[r][0].value, name) && name.id == ids[whose[r]])))
      continue;
    return damaged(whose[r], by_content   ? "isn't found by its content"
                             : bits_ == 0 ? "isn't found by a key of it"
                                          : "isn't found by its fingerprint");
  }
  return {};
}

Result<void> HBaseHome::snapshot(const std::filesystem::path&) {
  return not_here(
      "copies of an index on HBase are the server's affair (snapshot); its texts can be exported");
}

Result<std::unique_ptr<Home>> open_hbase_home(const Context& context, HBaseAddress address,
                                              HBaseConnect connect, const Settings& settings,
                                              const HBaseParts& parts) {
  auto link = std::make_unique<HBaseLink>(std::move(address), connect, settings.remote,
                                          StopToken(context.state().stop));
  LEITONG_ASSIGN(HBaseDescription index, describe(context, *link, settings, parts));
  if (index.scheme->spec().bits == 0)
    return std::make_unique<HBaseTexts>(context, std::move(link), std::move(index));
  return std::make_unique<HBaseFingerprints>(context, std::move(link), std::move(index));
}

}  // namespace leitong::online
