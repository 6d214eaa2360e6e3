#include "online/hbase/fingerprints.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong::online {
namespace {

// The most texts of one segment that are read. Random fingerprints leave far fewer there, but boilerplate may
// bring any number into one segment.
constexpr std::uint32_t kMostInSegment = 10'000;
}  // namespace

HBaseFingerprints::HBaseFingerprints(const Context& context, std::unique_ptr<HBaseLink> link,
                                     HBaseDescription index)
    : HBaseHome(context, std::move(link), index), tables_(std::move(index.tables)) {}

Result<std::vector<HBaseFingerprints::Found>> HBaseFingerprints::find(std::span<const Stamp* const> stamps) {
  std::vector<Found> found(stamps.size());
  // The calls of one connection run one after another.
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

// A tall table needs a scan for each text and table, which are sent together; a wide one needs a row for
// each, read at once.
Result<void> HBaseFingerprints::find_some(std::span<const Stamp* const> stamps, std::span<Found> found) {
  const auto take = [&](std::size_t i, std::string_view fingerprint, std::string_view name) {
    const unsigned distance = hamming::distance(online::fingerprint_in(fingerprint), *stamps[i]->fingerprint);
    if (distance > scheme_->spec().distance) return true;
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

std::vector<HBaseRow> HBaseFingerprints::postings(const HBaseText& entry) const {
  const Stamp& stamp = entry.stamp;
  std::vector<HBaseRow> rows;
  if (!stamp.fingerprint) return rows;
  const std::string fingerprint = online::fingerprint_bytes(*stamp.fingerprint, width_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    HBaseRow& row = rows.emplace_back(HBaseRow{table_row(tables_[t], bits_, t, *stamp.fingerprint), {}});
    const std::string column = bytes_of_name(entry.name());
    if (wide_) {
      row.cells.push_back({fingerprint + column, ""});
    } else {
      row.key += fingerprint;
      row.cells.push_back({column, ""});
    }
  }
  return rows;
}

Result<std::vector<HBaseFingerprints::Looked>> HBaseFingerprints::look_up(
    std::span<CheckedText* const> texts) {
  std::vector<Looked> all(texts.size());
  // First copies.
  std::vector<std::size_t> with_content;
  std::vector<const ContentDigest*> contents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]->stamp->digest) continue;
    with_content.push_back(i);
    contents.push_back(&*texts[i]->stamp->digest);
  }
  LEITONG_ASSIGN(const std::vector<HBaseName> names, representatives(contents));
  LEITONG_ASSIGN(const auto copies, read(std::span<const HBaseName>(names)));
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!is_named(copies[c], names[c])) continue;
    Looked& one = all[with_content[c]];
    one.family = copies[c]->first;
    one.answer.verdict = Verdict::exact;
    one.answer.match = match_at(copies[c]->label, {});
  }
  // Then the tables, unless one match is enough.
  std::vector<std::size_t> asked;
  std::vector<const Stamp*> stamps;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i]->look == Look::copies || !texts[i]->stamp->fingerprint ||
        (all[i].answer.match && texts[i]->matches_wanted <= 1))
      continue;
    asked.push_back(i);
    stamps.push_back(&*texts[i]->stamp);
  }
  LEITONG_ASSIGN(const std::vector<Found> found, find(stamps));
  std::vector<HBaseName> near_names;
  for (const Found& one : found)
    for (const Near& near : one.near) near_names.push_back(near.name);
  LEITONG_ASSIGN(const auto known, read(std::span<const HBaseName>(near_names)));
  std::size_t at = 0;
  for (std::size_t a = 0; a < asked.size(); ++a) {
    Looked& one = all[asked[a]];
    Answer& answer = one.answer;
    answer.bounds.ids = found[a].bounded;
    for (const Near& near : found[a].near) {
      const std::optional<HBaseText>& text = known[at++];
      if (!is_named(text, near.name) || !text->stands || (answer.match && answer.match->id == near.name.id))
        continue;
      Match match = match_at(text->label, near.distance);
      if (answer.match) {
        answer.others.push_back(std::move(match));
        continue;
      }
      one.family = text->first;
      answer.verdict = Verdict::near;
      answer.match = std::move(match);
    }
  }
  return all;
}

void HBaseFingerprints::keep_nearest(std::uint32_t wanted, std::vector<Match>& others) {
  std::ranges::stable_sort(others, {}, &Match::distance);
  if (others.size() >= wanted) others.resize(std::max(wanted, 1U) - 1);
}

Result<std::vector<Answer>> HBaseFingerprints::answers_of(std::span<CheckedText* const> texts) {
  LEITONG_ASSIGN(std::vector<Looked> looked, look_up(texts));
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    keep_nearest(texts[i]->matches_wanted, looked[i].answer.others);
    answers.push_back(std::move(looked[i].answer));
  }
  return answers;
}

Result<std::optional<Match>> HBaseFingerprints::near_match(const HBaseText& match, const HBaseText& known,
                                                           const CheckedText&) {
  return match_at(match.label, hamming::distance(*known.stamp.fingerprint, *match.stamp.fingerprint));
}

// A text is compared with those that the index has, then with the earlier ones of the batch.
Result<void> HBaseFingerprints::decide(std::span<Arriving> texts, HBaseChange&) {
  std::vector<CheckedText*> asked;
  for (const Arriving& one : texts) asked.push_back(one.text);
  LEITONG_ASSIGN(std::vector<Looked> looked, look_up(asked));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const CheckedText& text = *texts[i].text;
    HBaseText& entry = texts[i].entry;
    auto& [answer, family] = looked[i];
    const std::span<const Arriving> earlier = texts.first(i);
    const auto copied = std::ranges::find_if(earlier, [&](const Arriving& other) {
      return entry.stamp.digest && other.entry.holds && other.entry.stamp.digest == entry.stamp.digest;
    });
    if (copied != earlier.end() && answer.verdict != Verdict::exact) {
      if (answer.match) answer.others.insert(answer.others.begin(), *std::move(answer.match));
      answer.match = match_at(copied->entry.label, {});
      answer.verdict = Verdict::exact;
      family = copied->entry.first;
    }
    for (const Arriving& other : earlier) {
      if (text.look == Look::copies || !entry.stamp.fingerprint || (answer.match && text.matches_wanted <= 1))
        break;
      if (!other.entry.stands || !other.entry.stamp.fingerprint ||
          (answer.match && answer.match->id == other.entry.label.id))
        continue;
      const unsigned distance = hamming::distance(*entry.stamp.fingerprint, *other.entry.stamp.fingerprint);
      if (distance > scheme_->spec().distance) continue;
      Match match = match_at(other.entry.label, distance);
      if (answer.match) {
        answer.others.push_back(std::move(match));
        continue;
      }
      answer.match = std::move(match);
      answer.verdict = Verdict::near;
      family = other.entry.first;
    }
    keep_nearest(text.matches_wanted, answer.others);
    entry.verdict = answer.verdict;
    entry.holds = answer.verdict != Verdict::exact;
    entry.stands = answer.verdict == Verdict::fresh;
    entry.first = entry.stands ? entry.name() : family;
    *texts[i].answer = std::move(answer);
  }
  return {};
}

}  // namespace leitong::online
