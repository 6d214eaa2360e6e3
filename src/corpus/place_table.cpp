#include "corpus/place_table.hpp"

#include <algorithm>

namespace leitong {

void PlaceTable::push_back(const Place& place) {
  const bool is_file = place.line == 0;
  const auto fits = [&](const Segment& segment) {
    if (is_file) return segment.line == 0;
    return segment.line != 0 && segment.source == place.source &&
           place.position - segment.position <= UINT32_MAX && place.line - segment.line <= UINT32_MAX;
  };
  if (segments_.empty() || !fits(segments_.back()))
    segments_.push_back({size(), place.source, place.position, place.line});
  const Segment& segment = segments_.back();
  entries_.push_back({is_file ? place.source - segment.source
                              : static_cast<std::uint32_t>(place.position - segment.position),
                      place.detail, static_cast<std::uint32_t>(place.line - segment.line)});
}

Place PlaceTable::operator[](DocId document) const noexcept {
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), document,
                                      [](DocId wanted, const Segment& s) { return wanted < s.first; });
  const Segment& segment = *(after - 1);
  const Entry& entry = entries_[document];
  if (segment.line == 0) return {segment.source + entry.position, entry.detail, 0, 0};
  return {segment.source, entry.detail, segment.position + entry.position, segment.line + entry.line};
}

}  // namespace leitong
