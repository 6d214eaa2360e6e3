#include "feature/bag.hpp"

#include <algorithm>
#include <tuple>

namespace leitong {

void gather(std::span<const Occurrence> occurrences, BagScratch& scratch, Bag& bag) {
  auto& placed = scratch.placed;
  placed.clear();
  placed.reserve(occurrences.size());
  for (std::uint32_t place = 0; place < occurrences.size(); ++place)
    placed.push_back({occurrences[place].id, occurrences[place].hash, place});
  std::sort(placed.begin(), placed.end(),
            [](const auto& a, const auto& b) { return std::tie(a.id, a.place) < std::tie(b.id, b.place); });

  bag.terms.clear();
  bag.places.clear();
  bag.occurrences = static_cast<std::uint32_t>(occurrences.size());
  for (const BagScratch::Placed& each : placed) {
    if (bag.terms.empty() || bag.terms.back().id != each.id)
      bag.terms.push_back({each.id, each.hash, 0, static_cast<std::uint32_t>(bag.places.size())});
    ++bag.terms.back().count;
    bag.places.push_back(each.place);
  }
}

}  // namespace leitong
