#include "trim/cut_rule.hpp"

#include <algorithm>

namespace leitong {

CutRule::CutRule(const TrimSettings& settings, std::size_t least, std::uint64_t groups, bool places)
    : settings_(settings), least_(least), all_(settings.kept_part == KeptPart::none) {
  if (all_) return;
  stands_.resize(groups);
  if (settings.part == TextPart::passage) waits_.resize(groups);
  if (places) places_.resize(groups);
}

bool CutRule::decide(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts) {
  cuts.clear();
  made_.clear();
  if (settings_.part == TextPart::passage)
    cut_runs(repeated, text, cuts);
  else
    cut_parts(repeated, text, cuts);
  std::size_t left = text.units();
  for (const Cut& cut : cuts) left -= cut.units;
  if (cuts.empty() || left >= settings_.least_left) return false;
  // What it was the first to hold leaves with it.
  for (const std::uint64_t group : made_) stands_[group] = false;
  return true;
}

void CutRule::stay(std::uint64_t group, DocId document, std::uint32_t at) {
  stands_[group] = true;
  made_.push_back(group);
  if (!places_.empty()) places_[group] = std::uint64_t{document} << 32 | at;
}

void CutRule::cut_parts(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts) {
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    const RepeatedPart& part = repeated[i];
    if (stands(part.group))
      cuts.push_back({text.bytes_of(i), text.units_of(i), part.documents,
                      kept_place(std::span(&part.group, 1), part.at, part.at, part.at + 1), part.group});
    else
      stay(part.group, part.document, part.at);
  }
}

std::optional<KeptPlaceOfPart> CutRule::kept_place(std::span<const std::uint64_t> groups, std::size_t at,
                                                   std::size_t begin, std::size_t end) const {
  if (places_.empty()) return std::nullopt;
  // The first run that covers the beginning of the cut, and those behind it that lie behind each other there,
  // too.
  std::size_t i = std::min<std::size_t>(begin - at, groups.size() - 1);
  const std::uint64_t first = places_[groups[i]];
  const std::size_t skipped = begin - (at + i);
  std::size_t covered = at + i + least_;
  for (std::uint64_t next = first + 1; covered < end && i + 1 < groups.size(); ++next, ++covered)
    if (places_[groups[++i]] != next) break;
  return KeptPlaceOfPart{static_cast<DocId>(first >> 32), static_cast<std::uint32_t>(first + skipped),
                         static_cast<std::uint32_t>(std::min(covered, end) - begin)};
}

void CutRule::settle(std::size_t unit) {
  for (; !waiting_.empty() && waiting_.front().at + least_ <= unit; waiting_.pop_front()) {
    const std::uint64_t group = waiting_.front().group;
    waits_[group] = false;
    stands_[group] = true;
    made_.push_back(group);
  }
}

void CutRule::drop_behind(std::size_t unit) {
  for (; !waiting_.empty() && waiting_.back().at + least_ > unit; waiting_.pop_back())
    waits_[waiting_.back().group] = false;
}

void CutRule::cut_runs(std::span<const RepeatedPart> repeated, CuttableText& text, std::vector<Cut>& cuts) {
  std::size_t uncut = 0;  // no unit from here on is cut so far
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    const RepeatedPart& part = repeated[i];
    for (std::size_t at = std::max<std::size_t>(part.at, uncut); at < part.at + part.count;
         at = std::max(at + 1, uncut)) {
      settle(at);
      const std::uint64_t group = part.group + (at - part.at);
      const bool own = !stands(group) && waits_[group];  // it overlaps with its equal
      if (!own && !stands(group)) {
        waits_[group] = true;
        waiting_.push_back({static_cast<std::uint32_t>(at), group});
        if (!places_.empty()) places_[group] = std::uint64_t{part.document} << 32 | at;
        continue;
      }
      const std::size_t last_at = find_chain(repeated.subspan(i), at, own), to = last_at + least_;
      // Every run of these has to lose a unit. A text that overlaps its own copy keeps the first run.
      std::size_t from = at;
      if (own) from = std::ranges::find(waiting_, group, &Waiting::group)->at + least_;
      std::size_t begin = CuttableText::npos, end = CuttableText::npos;
      for (int kind = static_cast<int>(settings_.border); kind <= static_cast<int>(Border::character);
           ++kind) {
        if (begin == CuttableText::npos)
          begin = text.first_border(from, at + least_ - 1, static_cast<Border>(kind));
        if (begin == CuttableText::npos) continue;
        end = text.last_border(std::max(last_at + 1, begin + 1), to, static_cast<Border>(kind));
        if (end != CuttableText::npos) break;
      }
      if (begin == CuttableText::npos || end == CuttableText::npos) continue;  // within one character
      drop_behind(begin);
      cuts.push_back(
          {text.between(begin, end), end - begin, part.documents, kept_place(chain_, at, begin, end), group});
      uncut = end;
    }
  }
  settle(SIZE_MAX);
}

std::size_t CutRule::find_chain(std::span<const RepeatedPart> repeated, std::size_t at, bool own) {
  chain_.clear();
  std::size_t next = at;
  for (const RepeatedPart& part : repeated) {
    if (part.at > next) break;
    for (; next < part.at + part.count; ++next) {
      const std::uint64_t group = part.group + (next - part.at);
      if (next != at && !stands(group) && !(own && waits_[group])) return next - 1;
      if (!places_.empty()) chain_.push_back(group);
    }
  }
  return next - 1;
}

}  // namespace leitong
