#include "online/part_keys.hpp"

#include <algorithm>

#include "feature/shingles.hpp"

namespace leitong::online {

void make_part_keys(std::span<const Unit> units, const Secret& secret, KeyScratch& scratch,
                    PartKeys& result) {
  result.clear();
  if (units.size() < kPieceUnits) return;
  window_levels(units, kPieceUnits, kPieceWindow, secret.selection, scratch.windows, scratch.chosen);
  const std::size_t count = scratch.chosen.size();
  scratch.places.resize_for_overwrite(count);
  for (std::size_t i = 0; i < count; ++i) scratch.places[i] = scratch.chosen[i].place;
  std::sort(scratch.places.begin(), scratch.places.end());
  keyed_hashes(secret.parts, units, kPieceUnits, scratch.places, scratch.hashes);
  scratch.ordered.resize_for_overwrite(count);
  for (std::size_t i = 0; i < count; ++i)
    scratch.ordered[i] = {scratch.hashes[i] >> (64 - kKeyBits), scratch.places[i]};
  // Of equal keys the one at the first place stays. Then the keys are sorted by their places.
  std::sort(scratch.ordered.begin(), scratch.ordered.end(), [](const auto& a, const auto& b) {
    return a.order != b.order ? a.order < b.order : a.place < b.place;
  });
  const auto* const end = std::unique(scratch.ordered.begin(), scratch.ordered.end(),
                                      [](const auto& a, const auto& b) { return a.order == b.order; });
  std::sort(scratch.ordered.begin(), scratch.ordered.begin() + (end - scratch.ordered.begin()),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  for (const auto* one = scratch.ordered.begin(); one != end; ++one) {
    result.keys.push_back(one->order);
    result.places.push_back(one->place);
  }
}

}  // namespace leitong::online
