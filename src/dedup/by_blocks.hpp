// Orders pairs so that the texts of those that are compared one after another are in memory together.
#pragma once

#include <tbb/parallel_sort.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/pair.hpp"
#include "base/try.hpp"
#include "dedup/kept_units.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The number of two blocks among all: by the later one, then by the other.
[[nodiscard]] constexpr std::uint64_t number_of_blocks(std::uint32_t a, std::uint32_t b) noexcept {
  return std::uint64_t{b} * (std::uint64_t{b} + 1) / 2 + a;
}

/// Calls `each` with a vector of all `pairs` if `units` (which may be null) are in memory. Otherwise it calls
/// `each` for the pairs of every two blocks (KeptUnits), in any order, and reads the two blocks before if
/// that is less than a page of the disk for each text. The last two stay in memory. REQUIRES members a < b.
/// O(n log n).
template <class Pair, class Each>
Result<void> by_blocks(KeptUnits* units, std::vector<Pair>&& pairs, Each each) {
  if (units == nullptr || units->in_memory()) return each(std::move(pairs));
  units->divide();
  constexpr std::uint64_t kPage = 4096;  // bytes
  using Numbered = std::pair<std::uint64_t, Pair>;
  std::vector<Numbered> numbered;
  numbered.reserve(pairs.size());
  for (const Pair& pair : pairs)
    numbered.emplace_back(number_of_blocks(units->block_of(pair.a), units->block_of(pair.b)), pair);
  pairs = std::vector<Pair>();
  const HeldMemory held(units->memory(), 2 * sizeof(Numbered) * numbered.size());
  tbb::parallel_sort(numbered, [](const Numbered& x, const Numbered& y) { return x.first < y.first; });
  for (std::size_t i = 0, end; i < numbered.size(); i = end) {
    const auto& [number, first] = numbered[i];
    std::vector<Pair> of_blocks;
    for (end = i; end < numbered.size() && numbered[end].first == number; ++end)
      of_blocks.push_back(numbered[end].second);
    if (2 * kPage * of_blocks.size() > units->block_bytes())
      LEITONG_TRY(units->hold(units->block_of(first.a), units->block_of(first.b)));
    LEITONG_TRY(each(std::move(of_blocks)));
  }
  return {};
}

}  // namespace leitong
