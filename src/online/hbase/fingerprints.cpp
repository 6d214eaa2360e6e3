#include "online/hbase/fingerprints.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong::online {
namespace {

// The most texts of one segment that are read. Random fingerprints give far fewer, but boilerplate may bring
// any number of texts into one segment.
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
  LEITONG_ASSIGN(auto copies, read(names));
  for (std::size_t c = 0; c < names.size(); ++c)
    if (is_named(copies[c], names[c])) all[with_content[c]].similar.push_back({*std::move(copies[c]), {}});
  // Then the tables, unless one match is enough.
  std::vector<std::size_t> asked;
  std::vector<const Stamp*> stamps;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i]->look == Look::copies || !texts[i]->stamp->fingerprint ||
        (!all[i].similar.empty() && texts[i]->matches_wanted <= 1))
      continue;
    asked.push_back(i);
    stamps.push_back(&*texts[i]->stamp);
  }
  LEITONG_ASSIGN(const std::vector<Found> found, find(stamps));
  std::vector<HBaseName> near_names;
  for (const Found& one : found)
    for (const Near& near : one.near) near_names.push_back(near.name);
  LEITONG_ASSIGN(auto known, read(near_names));
  auto next = known.begin();
  for (std::size_t a = 0; a < asked.size(); ++a) {
    all[asked[a]].bounded = found[a].bounded;
    for (const Near& near : found[a].near)
      if (std::optional<HBaseText>& text = *next++; is_named(text, near.name) && text->stands)
        all[asked[a]].similar.push_back({*std::move(text), near.distance});
  }
  return all;
}

// Decides as FingerprintScheme::check() does.
Answer HBaseFingerprints::answer_by(const Looked& looked, std::uint32_t matches_wanted) const {
  Answer answer;
  answer.bounds.ids = looked.bounded;
  for (const auto& [text, distance] : looked.similar) {
    Match match = match_at(text.label, distance);
    if (!answer.match) {
      answer.verdict = distance ? Verdict::near : Verdict::exact;
      answer.match = std::move(match);
    } else if (match.id != answer.match->id) {
      answer.others.push_back(std::move(match));
    }
  }
  std::ranges::stable_sort(answer.others, {}, &Match::distance);
  if (answer.others.size() >= matches_wanted) answer.others.resize(matches_wanted - 1);
  return answer;
}

Result<std::vector<Answer>> HBaseFingerprints::answers_of(std::span<CheckedText* const> texts) {
  LEITONG_ASSIGN(const std::vector<Looked> looked, look_up(texts));
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < texts.size(); ++i)
    answers.push_back(answer_by(looked[i], texts[i]->matches_wanted));
  return answers;
}

Result<std::optional<Match>> HBaseFingerprints::near_match(const HBaseText& match, const HBaseText& known,
                                                           const CheckedText&) {
  return match_at(match.label, hamming::distance(*known.stamp.fingerprint, *match.stamp.fingerprint));
}

// A text is compared with the texts of the index, then with the earlier texts of the batch.
Result<void> HBaseFingerprints::decide(std::span<Arriving> texts, HBaseChange&) {
  std::vector<CheckedText*> asked;
  for (const Arriving& one : texts) asked.push_back(one.text);
  LEITONG_ASSIGN(std::vector<Looked> looked, look_up(asked));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseText& entry = texts[i].entry;
    const CheckedText& text = *texts[i].text;
    std::vector<Similar>& similar = looked[i].similar;
    for (const Arriving& one : texts.first(i)) {
      const HBaseText& other = one.entry;
      const bool has_copy = !similar.empty() && !similar[0].distance;
      if (!has_copy && entry.stamp.digest && other.holds && other.stamp.digest == entry.stamp.digest)
        similar.insert(similar.begin(), Similar{other, {}});
      if (text.look == Look::copies || !other.stands || !entry.stamp.fingerprint ||
          !other.stamp.fingerprint || (!similar.empty() && text.matches_wanted <= 1))
        continue;
      const unsigned distance = hamming::distance(*entry.stamp.fingerprint, *other.stamp.fingerprint);
      if (distance <= scheme_->spec().distance) similar.push_back({other, distance});
    }
    Answer& answer = *texts[i].answer;
    answer = answer_by(looked[i], text.matches_wanted);
    entry.verdict = answer.verdict;
    entry.holds = answer.verdict != Verdict::exact;
    entry.stands = answer.verdict == Verdict::fresh;
    entry.first = entry.stands ? entry.name() : similar[0].text.first;
  }
  return {};
}

}  // namespace leitong::online
