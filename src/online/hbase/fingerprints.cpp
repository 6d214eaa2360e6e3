#include "online/hbase/fingerprints.hpp"

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
#include "online/text_codec.hpp"

namespace leitong::online {
namespace {

// Rows of a list that are read at once, and texts of them.
constexpr std::uint32_t kPage = 500;
// Bytes of compressed text that are read at once.
constexpr std::size_t kBytesAtOnce = std::size_t{8} << 20;
// Texts of one segment that are looked at. It is far more than fingerprints at random leave there; but
// boilerplate may bring any number into one.
constexpr std::uint32_t kMostInSegment = 10'000;
// Counts of a writer.
const std::string kCounts = "counts:";

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

HBaseFingerprints::HBaseFingerprints(const Context& context, std::unique_ptr<HBaseLink> link,
                                     HBaseDescription index)
    : ServerHome(context, std::move(index.scheme), "HBase", link->address().shown()),
      link_(std::move(link)),
      tables_(std::move(index.tables)),
      wide_(index.wide),
      bits_(scheme_->maker().bits),
      width_(bits_ / 8),
      writer_(random_number()) {}

// Larger than the one before: texts of one client come in the order of its calls.
std::uint64_t HBaseFingerprints::now() {
  using std::chrono::microseconds;
  const auto clock = static_cast<std::uint64_t>(
      std::chrono::duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
  std::uint64_t last = last_time_;
  while (!last_time_.compare_exchange_weak(last, std::max(clock, last + 1))) {
  }
  return std::max(clock, last + 1);
}

Result<std::vector<HBaseFingerprints::Known>> HBaseFingerprints::read(std::span<const std::string> ids) {
  std::vector<HBaseGet> gets;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) continue;
    gets.push_back({text_key(ids[i]), "s"});
    asked.push_back(i);
  }
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<Known> known(ids.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const HBaseCell& cell : rows[r]) {
      const std::size_t i = asked[r];
      if (!read_entry(cell.value, width_, known[i].entry) || known[i].entry.label.id != ids[i])
        return link_->not_understood("what is known of a text");
      known[i].bytes = cell.value;
    }
  return known;
}
Result<HBaseFingerprints::Known> HBaseFingerprints::read(const std::string& id) {
  LEITONG_ASSIGN(std::vector<Known> known, read({&id, 1}));
  return std::move(known[0]);
}

Result<std::vector<HBaseName>> HBaseFingerprints::holders(std::span<const ContentDigest* const> contents) {
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

Result<std::vector<HBaseName>> HBaseFingerprints::heads(std::span<const Known> texts) {
  std::vector<HBaseGet> gets;
  for (const Known& text : texts) gets.push_back({family_key(text.entry.first), "h"});
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

Result<std::vector<HBaseFingerprints::Found>> HBaseFingerprints::find(std::span<const Stamp* const> stamps) {
  std::vector<Found> found(stamps.size());
  // The calls on one connection are done one after another.
  constexpr std::size_t kTogether = 16;
  const std::size_t parts = (stamps.size() + kTogether - 1) / kTogether;
  LEITONG_TRY(on_threads(context_, [&] {
    return parallel_for_each(stop(), parts, [&](std::size_t p) {
      const std::size_t first = p * kTogether, count = std::min(kTogether, stamps.size() - first);
      return find_some(stamps.subspan(first, count), std::span(found).subspan(first, count));
    });
  }));
  return found;
}

// Of a tall table a scan for each text and table, sent together; of a wide one a row for each, got at once.
Result<void> HBaseFingerprints::find_some(std::span<const Stamp* const> stamps, std::span<Found> found) {
  const auto take = [&](std::size_t i, std::string_view fingerprint, std::string_view name) {
    const unsigned distance = hamming::distance(online::fingerprint_in(fingerprint), *stamps[i]->fingerprint);
    if (distance > scheme_->maker().distance) return true;
    Near& near = found[i].near.emplace_back();
    near.distance = distance;
    return read_name(name, near.name);
  };
  std::vector<HBaseGet> gets;
  std::vector<HBaseScan> scans;
  for (const Stamp* stamp : stamps)
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      std::string row = table_row(tables_[t], bits_, t, *stamp->fingerprint);
      if (wide_)
        gets.push_back({std::move(row), "", kMostInSegment});
      else
        scans.push_back({row, end_of(row), kMostInSegment});
    }
  if (wide_) {
    LEITONG_ASSIGN(const auto rows, link_->get(gets));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t i = r / tables_.size();
      found[i].bounded |= rows[r].size() >= kMostInSegment;
      for (const HBaseCell& cell : rows[r]) {
        const std::string_view column = cell.column;
        if (column.size() <= width_ || !take(i, column.substr(0, width_), column.substr(width_)))
          return link_->not_understood("a fingerprint");
      }
    }
  } else {
    LEITONG_ASSIGN(const auto rows, link_->scan(scans));
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const std::size_t i = s / tables_.size();
      found[i].bounded |= rows[s].size() >= kMostInSegment;
      for (const HBaseRow& row : rows[s])
        for (const HBaseCell& cell : row.cells)
          if (row.key.size() != kPartBytes + width_ || !take(i, row.key.substr(kPartBytes), cell.column))
            return link_->not_understood("a fingerprint");
    }
  }
  for (Found& one : found) {
    std::ranges::sort(one.near, {}, &Near::name);
    const auto twice = std::ranges::unique(one.near, {}, &Near::name);
    one.near.erase(twice.begin(), twice.end());
  }
  return {};
}

std::vector<HBaseRow> HBaseFingerprints::postings(const Stamp& stamp, const HBaseName& name) const {
  std::vector<HBaseRow> rows;
  if (!stamp.fingerprint) return rows;
  const std::string fingerprint = online::fingerprint_bytes(*stamp.fingerprint, width_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    HBaseRow& row = rows.emplace_back(HBaseRow{table_row(tables_[t], bits_, t, *stamp.fingerprint), {}});
    const std::string column = bytes_of_name(name);
    if (wide_) {
      row.cells.push_back({fingerprint + column, ""});
    } else {
      row.key += fingerprint;
      row.cells.push_back({column, ""});
    }
  }
  return rows;
}

// Where a text is listed from its arrival on.
std::vector<HBaseRow> HBaseFingerprints::lists(const HBaseText& entry) const {
  std::vector<HBaseRow> rows = {{arrival_key(entry.name()), {{"n", ""}}}};
  if (!entry.label.source.empty())
    rows.push_back({source_key(entry.label.source) + entry.label.id, {{"n", ""}}});
  if (entry.label.expires) rows.push_back({expiry_key(*entry.label.expires, entry.label.id), {{"n", ""}}});
  return rows;
}

HBaseCheckedPut HBaseFingerprints::change(const Known& from, const HBaseText& to) const {
  return {"s", from.bytes, {text_key(to.label.id), {{"s", bytes_of_entry(to, width_)}}}};
}

Result<bool> HBaseFingerprints::change_one(Known& known, const HBaseText& to) {
  const HBaseCheckedPut put = change(known, to);
  LEITONG_ASSIGN(const std::vector<bool> done, link_->put_if({put}));
  if (!done.at(0)) {
    // It may have been done, and the answer lost.
    LEITONG_ASSIGN(known, read(to.label.id));
    return known.bytes == put.put.cells[0].value;
  }
  known = {to, put.put.cells[0].value};
  return true;
}

Result<void> HBaseFingerprints::raise(Known& known) {
  HBaseText raised = known.entry;
  ++raised.round;
  // Whoever was quicker: what is known now says whether it is still pending.
  LEITONG_TRY(change_one(known, raised));
  return {};
}

void HBaseFingerprints::count(Verdict verdict, int change) {
  const std::scoped_lock lock(counts_mutex_);
  counts_.at(static_cast<std::size_t>(verdict)) += change;
  counted_ = true;
}

// Each writer has a cell of its own with its sums, so that it may be written twice.
Result<void> HBaseFingerprints::put_counts() {
  const std::scoped_lock lock(counts_mutex_);
  if (!counted_) return {};
  std::string sums;
  for (const std::int64_t sum : counts_) sums.append(bytes_of(sum));
  const std::string column = kCounts + key_of(writer_);
  LEITONG_TRY(link_->put({{meta_key(), {{column, sums}}}}));
  counted_ = false;
  return {};
}

Result<Figures> HBaseFingerprints::figures() {
  LEITONG_ASSIGN(const auto rows, link_->get({{.key = meta_key()}}));
  std::array<std::int64_t, 3> sums{};
  for (const HBaseCell& cell : rows[0]) {
    if (!cell.column.starts_with(kCounts)) continue;
    std::string_view bytes = cell.value;
    for (std::int64_t& sum : sums) {
      std::int64_t one = 0;
      if (!take(bytes, one)) return link_->not_understood("the counts");
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(one));
    }
  }
  const auto sum = [&](Verdict verdict) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sums.at(static_cast<std::size_t>(verdict)), 0));
  };
  Figures figures;
  figures.fresh = sum(Verdict::fresh);
  figures.near = sum(Verdict::near);
  figures.exact = sum(Verdict::exact);
  figures.texts = figures.fresh + figures.near + figures.exact;
  figures.scheme = scheme_text(scheme_->maker().scheme);
  figures.distance = scheme_->maker().distance;
  figures.checks = checks_;
  figures.bounded_ids = bounded_ids_;
  return figures;
}

Match HBaseFingerprints::match_of(const HBaseText& entry, Verdict verdict, unsigned distance) const {
  Match match{.id = entry.label.id, .source = entry.label.source, .time = entry.label.time};
  if (verdict == Verdict::exact) {
    match.measure = measure_name(Measure::identical);
    match.score = match.jaccard = match.containment = 1;
  } else {
    match.measure = "hamming";
    match.distance = distance;
    match.score = 1 - static_cast<double>(distance) / bits_;
  }
  return match;
}

Result<Answer> HBaseFingerprints::answer_of_known(const Known& text) {
  Answer answer;
  answer.verdict = text.entry.verdict;
  HBaseName name;
  if (answer.verdict == Verdict::exact && text.entry.stamp.digest) {
    const ContentDigest* const content = &*text.entry.stamp.digest;
    LEITONG_ASSIGN(std::vector<HBaseName> names, holders({&content, 1}));
    name = std::move(names[0]);
  } else if (answer.verdict == Verdict::near) {
    LEITONG_ASSIGN(std::vector<HBaseName> names, heads({&text, 1}));
    name = std::move(names[0]);
  }
  if (name.id.empty() || name.id == text.entry.label.id) return answer;
  LEITONG_ASSIGN(const Known match, read(name.id));
  if (match.exists()) answer.match = match_of(match.entry, answer.verdict, text.entry.distance);
  return answer;
}

Result<std::vector<Answer>> HBaseFingerprints::answers_of(std::span<const CheckedText> texts,
                                                          const Wanted& wanted) {
  std::vector<Answer> answers(texts.size());
  // Copies first.
  std::vector<std::size_t> with_content;
  std::vector<const ContentDigest*> contents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].verdict == Verdict::refused) {
      answers[i] = {.verdict = Verdict::refused, .reason = texts[i].reason};
    } else if (texts[i].stamp->digest) {
      with_content.push_back(i);
      contents.push_back(&*texts[i].stamp->digest);
    }
  }
  LEITONG_ASSIGN(const std::vector<HBaseName> names, holders(contents));
  std::vector<std::string> ids;
  ids.reserve(names.size());
  for (const HBaseName& name : names) ids.push_back(name.id);
  LEITONG_ASSIGN(const std::vector<Known> copies, read(ids));
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c].id.empty() || !copies[c].seen() || !copies[c].entry.holds ||
        copies[c].entry.stamp.digest != *contents[c])
      continue;
    Answer& answer = answers[with_content[c]];
    answer.verdict = Verdict::exact;
    answer.match = match_of(copies[c].entry, Verdict::exact, 0);
  }
  // Then the tables, unless one is enough.
  std::vector<std::size_t> asked;
  std::vector<const Stamp*> stamps;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].verdict == Verdict::refused) continue;
    ++checks_;
    if (texts[i].look == Look::copies || !texts[i].stamp->fingerprint ||
        (answers[i].match && wanted.matches <= 1))
      continue;
    asked.push_back(i);
    stamps.push_back(&*texts[i].stamp);
  }
  LEITONG_ASSIGN(const std::vector<Found> found, find(stamps));
  ids.clear();
  for (const Found& one : found)
    for (const Near& near : one.near) ids.push_back(near.name.id);
  LEITONG_ASSIGN(const std::vector<Known> known, read(ids));
  std::size_t at = 0;
  for (std::size_t a = 0; a < asked.size(); ++a) {
    Answer& answer = answers[asked[a]];
    answer.bounds.ids = found[a].bounded;
    bounded_ids_ += found[a].bounded;
    for (const Near& near : found[a].near) {
      const Known& text = known[at++];
      if (!text.seen_as(near.name) || !text.entry.stands ||
          (!texts[asked[a]].id.empty() && near.name.id == texts[asked[a]].id) ||
          (answer.match && answer.match->id == near.name.id))
        continue;
      Match match = match_of(text.entry, Verdict::near, near.distance);
      if (answer.match) {
        answer.others.push_back(std::move(match));
        continue;
      }
      answer.verdict = Verdict::near;
      answer.match = std::move(match);
    }
    std::ranges::stable_sort(answer.others, {}, &Match::distance);
    const std::uint32_t most = std::max(wanted.matches, 1U) - 1;
    if (answer.others.size() > most) answer.others.resize(most);
  }
  return answers;
}

Result<std::vector<Answer>> HBaseFingerprints::check(std::span<const Text> texts, Look look,
                                                     const Wanted& wanted) {
  constexpr std::size_t kInPart = 256;
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, Secret(SipKey{}), look, false));
  for (CheckedText& text : checked) text.id = {};  // it isn't in the index under it
  std::vector<Answer> answers;
  for (std::span<const CheckedText> left = checked; !left.empty();) {
    const std::span<const CheckedText> part = left.first(std::min(kInPart, left.size()));
    LEITONG_ASSIGN(std::vector<Answer> some, answers_of(part, wanted));
    std::ranges::move(some, std::back_inserter(answers));
    left = left.subspan(part.size());
  }
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<Explanation> HBaseFingerprints::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(const std::vector<CheckedText> checked,
                 prepared({&one, 1}, Secret(SipKey{}), Look::near, false));
  LEITONG_ASSIGN(std::vector<Answer> answers, answers_of(checked, {.matches = kMostExplained}));
  return explained(checked[0], std::move(answers[0]));
}

Result<std::vector<std::string>> HBaseFingerprints::packed(std::span<const Known> texts) {
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

Result<std::vector<std::optional<Stored>>> HBaseFingerprints::stored(std::span<const Known> texts) {
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
      // It left meanwhile, or it is damaged.
      LEITONG_ASSIGN(const Known again, read(row.id));
      if (again.bytes == texts[i].bytes) return link_->not_understood("a text");
      all.emplace_back();
      continue;
    }
    const bool other = names[i].id != row.id;
    LEITONG_ASSIGN(all.emplace_back(), stored_of(std::move(row), other ? names[i].id : std::string()));
  }
  return all;
}

Result<std::vector<std::optional<Stored>>> HBaseFingerprints::get_all(std::span<const std::string> ids) {
  LEITONG_ASSIGN(std::vector<Known> known, read(ids));
  std::vector<Known> there;
  for (Known& text : known)
    if (text.exists() && !text.is(HBaseText::Stage::pending)) there.push_back(std::move(text));
  LEITONG_ASSIGN(std::vector<std::optional<Stored>> found, stored(there));
  // Back to where they were asked for: several ids may be the same.
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

Result<void> HBaseFingerprints::each_of(std::string begin, const std::string& end, std::size_t behind,
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

// Each part is in order; the next one of all parts is the next to come.
Result<void> HBaseFingerprints::for_each_stored(const std::string* source, const EachStored& each) {
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
    LEITONG_ASSIGN(std::vector<Known> known, read(ids));
    std::vector<Known> wanted;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i].seen_as(next[i]) && (source == nullptr || known[i].entry.label.source == *source))
        wanted.push_back(std::move(known[i]));
    // As many as have room in memory.
    for (std::span<const Known> left = wanted; !left.empty();) {
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

// Texts that others add or remove meanwhile may be named as damaged: then it is to be done again.
Result<void> HBaseFingerprints::verify() {
  std::vector<std::string> ids;
  const auto check_some = [&]() -> Result<void> {
    LEITONG_ASSIGN(const std::vector<Known> texts, read(ids));
    // Cells that must be there, and whose they are.
    std::vector<HBaseGet> gets;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const HBaseText& entry = texts[i].entry;
      if (!texts[i].is(HBaseText::Stage::settled)) continue;
      if (entry.holds && entry.stamp.digest) gets.push_back({content_key(*entry.stamp.digest), "h"});
      if (entry.stands)
        for (const HBaseRow& row : postings(entry.stamp, entry.name()))
          gets.push_back({row.key, row.cells[0].column});
      whose.resize(gets.size(), i);
    }
    LEITONG_ASSIGN(const auto rows, link_->get(gets));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string& id = ids[whose[r]];
      const bool by_content = gets[r].column == "h";
      HBaseName name;
      if (!rows[r].empty() && (!by_content || (read_name(rows[r][0].value, name) && name.id == id))) continue;
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: the text with the id \"{}\" isn't found by its {}",
                              link_->address().shown(), id, by_content ? "content" : "fingerprint"));
    }
    ids.clear();
    return {};
  };
  LEITONG_TRY(for_each_stored(nullptr, [&](const Stored& text) -> Result<void> {
    ids.push_back(text.id);
    if (ids.size() >= kPage) return check_some();
    return {};
  }));
  return check_some();
}

Result<void> HBaseFingerprints::snapshot(const std::filesystem::path&) {
  return not_here(
      "copies of an index on HBase are the server's affair (snapshot); its texts can be exported");
}

Result<std::unique_ptr<Home>> open_hbase_fingerprints(const Context& context, HBaseAddress address,
                                                      HBaseConnect connect, const Settings& settings,
                                                      const HBaseParts& parts) {
  auto link = std::make_unique<HBaseLink>(std::move(address), connect, settings.remote,
                                          StopToken(context.state().stop));
  LEITONG_ASSIGN(HBaseDescription index, describe(context, *link, settings, parts));
  return std::make_unique<HBaseFingerprints>(context, std::move(link), std::move(index));
}

}  // namespace leitong::online
