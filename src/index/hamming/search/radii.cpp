#include "index/hamming/search/radii.hpp"

#include <algorithm>

namespace leitong::hamming {

std::vector<std::uint32_t> flips_of(unsigned key_bits, unsigned radius) {
  std::vector<std::uint32_t> flips{0};
  for (unsigned weight = 1; weight <= std::min(radius, key_bits); ++weight) {
    const std::uint64_t end = std::uint64_t{1} << key_bits;
    // The next number with as many set bits (Gosper's hack).
    for (std::uint64_t flip = (std::uint64_t{1} << weight) - 1; flip < end;) {
      flips.push_back(static_cast<std::uint32_t>(flip));
      const std::uint64_t lowest = flip & (~flip + 1);
      const std::uint64_t carried = flip + lowest;
      flip = carried | (((carried ^ flip) >> 2) / lowest);
    }
  }
  return flips;
}

template <Fingerprint F>
Exclusion exclusion_of(const TableShape<F>& shape) noexcept {
  return {{word(shape.mask, 0), kWords<F> == 2 ? word(shape.mask, 1) : 0},
          static_cast<std::int32_t>(shape.radius)};
}
template Exclusion exclusion_of(const TableShape<Fingerprint64>&) noexcept;
template Exclusion exclusion_of(const TableShape<Fingerprint128>&) noexcept;

void lower_radii(std::span<Exclusion> tables, unsigned distance) noexcept {
  std::uint64_t seen[2] = {};
  bool disjoint = true;
  int errors = 0;
  for (const Exclusion& table : tables) {
    disjoint = disjoint && (seen[0] & table.mask[0]) == 0 && (seen[1] & table.mask[1]) == 0;
    seen[0] |= table.mask[0];
    seen[1] |= table.mask[1];
    errors += table.radius + 1;
  }
  const int needed = static_cast<int>(distance) + 1;
  if (disjoint) {
    for (; errors > needed; --errors) {
      // From the end, so that the first table, which knows positions, is kept longest.
      auto largest = tables.end() - 1;
      for (auto table = tables.end(); table != tables.begin();)
        if ((--table)->radius > largest->radius) largest = table;
      --largest->radius;
    }
    return;
  }
  for (Exclusion& table : tables) table.radius = std::min(table.radius, needed - 1);
  if (distance == 0)
    for (Exclusion& table : tables.subspan(1)) table.radius = -1;
}

}  // namespace leitong::hamming
