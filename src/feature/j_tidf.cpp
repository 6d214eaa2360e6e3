#include "feature/j_tidf.hpp"

#include <algorithm>
#include <bitset>
#include <vector>

namespace leitong {

double count_aware_jaccard(std::span<const CountPair> counts) noexcept {
  double sum = 0;
  std::size_t documents = 0;
  for (const CountPair& pair : counts) {
    const std::uint32_t greater = std::max(pair.x, pair.y);
    if (greater == 0) continue;
    ++documents;
    sum += static_cast<double>(std::min(pair.x, pair.y)) / greater;
  }
  return documents == 0 ? 0 : sum / static_cast<double>(documents);
}

void share_weights(const Bag& bag, const PartnersFn& partners, PodVector<Weighted>& candidates) {
  // Most partners aren't in the document, and one bit in a table says so of nearly all of them.
  constexpr unsigned kTableShift = 64 - 12;
  std::bitset<(1u << 12)> table;
  std::vector<std::uint64_t> ids;
  for (const Weighted& each : candidates) {
    ids.push_back(bag.terms[each.term].id);
    table.set(ids.back() >> kTableShift);
  }
  std::sort(ids.begin(), ids.end());
  for (Weighted& each : candidates) {
    double sum = 1;
    for (const Partner& partner : partners(bag.terms[each.term].id))
      if (table[partner.id >> kTableShift] && std::binary_search(ids.begin(), ids.end(), partner.id))
        sum += double{partner.similarity};
    each.weight = static_cast<float>(double{each.weight} / sum);
  }
}

}  // namespace leitong
