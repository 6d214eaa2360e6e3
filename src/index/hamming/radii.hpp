// Searching within less than the distance that tables were made for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "index/hamming/probe_kernel.hpp"

namespace leitong::hamming {

/// Lowers the radii of tables that find everything within the distance they were made for, so that they still
/// find everything within `distance`; a table that isn't needed gets -1.
///
/// Tables that share no bit of their keys miss a pair only if it has more errors than its radius in every one
/// of them, that is radius + 1 in each. So the sum of radius + 1 has to exceed `distance`, no more.
inline void lower_radii(std::span<Exclusion> tables, unsigned distance) noexcept {
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
      // From the back, so that the first table, which gives positions for free, stays longest.
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
