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
    HBaseNear& near = found[i].near.emplace_back();
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
    std::ranges::sort(one.near, {}, &HBaseNear::name);
    const auto twice = std::ranges::unique(one.near, {}, &HBaseNear::name);
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

Match HBaseFingerprints::match_at(const HBaseText& entry, Verdict verdict, unsigned distance) const {
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

Result<std::vector<Answer>> HBaseFingerprints::answers_of(std::span<CheckedText> texts,
                                                          const Wanted& wanted) {
  std::vector<Answer> answers(texts.size());
  // First copies.
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
  LEITONG_ASSIGN(const std::vector<HBaseName> names, representatives(contents));
  std::vector<std::string> ids;
  ids.reserve(names.size());
  for (const HBaseName& name : names) ids.push_back(name.id);
  LEITONG_ASSIGN(const std::vector<HBaseKnown> copies, read(ids));
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c].id.empty() || !copies[c].seen() || !copies[c].entry.holds ||
        copies[c].entry.stamp.digest != *contents[c])
      continue;
    Answer& answer = answers[with_content[c]];
    answer.verdict = Verdict::exact;
    answer.match = match_at(copies[c].entry, Verdict::exact, 0);
  }
  // Then the tables, unless one match is enough.
  std::vector<std::size_t> asked;
  std::vector<const Stamp*> stamps;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].verdict == Verdict::refused) continue;
    if (texts[i].look == Look::copies || !texts[i].stamp->fingerprint ||
        (answers[i].match && wanted.matches <= 1))
      continue;
    asked.push_back(i);
    stamps.push_back(&*texts[i].stamp);
  }
  LEITONG_ASSIGN(const std::vector<Found> found, find(stamps));
  ids.clear();
  for (const Found& one : found)
    for (const HBaseNear& near : one.near) ids.push_back(near.name.id);
  LEITONG_ASSIGN(const std::vector<HBaseKnown> known, read(ids));
  std::size_t at = 0;
  for (std::size_t a = 0; a < asked.size(); ++a) {
    Answer& answer = answers[asked[a]];
    answer.bounds.ids = found[a].bounded;
    for (const HBaseNear& near : found[a].near) {
      const HBaseKnown& text = known[at++];
      if (!text.seen_as(near.name) || !text.entry.stands ||
          (!texts[asked[a]].id.empty() && near.name.id == texts[asked[a]].id) ||
          (answer.match && answer.match->id == near.name.id))
        continue;
      Match match = match_at(text.entry, Verdict::near, near.distance);
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

Result<Explanation> HBaseFingerprints::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped({&one, 1}, Look::near, false));
  LEITONG_ASSIGN(std::vector<Answer> answers, answers_of(checked, {.matches = kMostExplained}));
  return explained(checked[0], std::move(answers[0]));
}

Result<std::optional<Match>> HBaseFingerprints::match_of(const HBaseKnown& match, const HBaseText& text) {
  const auto &mine = text.stamp.fingerprint, &other = match.entry.stamp.fingerprint;
  return match_at(match.entry, text.verdict, mine && other ? hamming::distance(*mine, *other) : 0);
}

// The near texts are searched once; their entries are read in every turn.
Result<void> HBaseFingerprints::look(std::span<HBaseArriving* const> texts) {
  std::vector<const Stamp*> stamps;
  std::vector<HBaseArriving*> looking;
  for (HBaseArriving* one : texts) {
    if (one->looked || !one->near_wanted || !one->known.entry.stamp.fingerprint) continue;
    stamps.push_back(&one->known.entry.stamp);
    looking.push_back(one);
  }
  LEITONG_ASSIGN(std::vector<Found> found, find(stamps));
  for (std::size_t i = 0; i < looking.size(); ++i) {
    looking[i]->near = std::move(found[i].near);
    looking[i]->bounded = found[i].bounded;
  }
  std::vector<std::string> ids;
  for (const HBaseArriving* one : texts)
    for (const HBaseNear& near : one->near) ids.push_back(near.name.id);
  LEITONG_ASSIGN(std::vector<HBaseKnown> known, read(ids));
  std::size_t at = 0;
  for (HBaseArriving* one : texts) {
    const std::span<HBaseKnown> others = std::span(known).subspan(at, one->near.size());
    at += one->near.size();
    look_at(*one, others);
  }
  return {};
}

void HBaseFingerprints::look_at(HBaseArriving& one, std::span<HBaseKnown> others) const {
  const HBaseName name = one.known.entry.name();
  HBaseOutlook& outlook = one.outlook = {};
  outlook.entry = one.known.entry;
  outlook.entry.verdict = Verdict::fresh;
  outlook.entry.first = name;
  outlook.entry.stands = true;
  outlook.entry.distance = 0;
  outlook.answer.bounds.ids = one.bounded;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const HBaseNear& near = one.near[i];
    HBaseKnown& other = others[i];
    if (near.name.id == one.id || !other.exists() || other.entry.time != near.name.time) continue;
    if (other.is(HBaseText::Stage::pending)) {
      (near.name > name ? outlook.after : outlook.before).push_back(std::move(other));
      if (!outlook.before.empty()) return;
    } else if (other.is(HBaseText::Stage::leaving)) {
      outlook.leaving.push_back(std::move(other));
      return;
    } else if (other.entry.stands) {
      outlook.entry.verdict = outlook.answer.verdict = Verdict::near;
      outlook.entry.first = other.entry.first;
      outlook.entry.stands = false;
      outlook.entry.distance = static_cast<std::uint8_t>(near.distance);
      outlook.answer.match = match_at(other.entry, Verdict::near, near.distance);
      outlook.match = std::move(other);
      return;
    }
  }
}

}  // namespace leitong::online
