#include "feature/window_levels.hpp"

#include <algorithm>
#include <bit>

#include "base/cpu.hpp"
#include "feature/kernels.hpp"

namespace leitong {

void seeded_selection(std::span<const Unit> units, std::size_t k, const SelectionSeed& seed,
                      PodVector<std::uint32_t>& other, PodVector<std::uint32_t>& hashes) {
  const std::size_t count = units.size() - k + 1;
  hashes.resize_for_overwrite(count + k);
  other.resize_for_overwrite(count + k);
  feature_kernels(simd_level()).selection(units.data(), count, k, other.data(), hashes.data());
  hashes.resize_for_overwrite(count);
  // A bijection for each seed: equal hashes stay equal, all else changes places.
  const std::uint32_t factor = seed[1] | 1;
  for (std::uint32_t& hash : hashes) {
    std::uint32_t x = (hash ^ seed[0]) * factor;
    x = (x ^ x >> 15 ^ seed[2]) * 0x2C1B3C6Du;
    hash = x ^ x >> 16;
  }
}

void window_levels(std::span<const Unit> units, std::size_t k, std::size_t window, const SelectionSeed& seed,
                   WindowLevelScratch& scratch, PodVector<ChosenShingle>& chosen) {
  chosen.clear();
  if (units.size() < k) return;
  seeded_selection(units, k, seed, scratch.other, scratch.selection);
  const auto count = static_cast<std::uint32_t>(scratch.selection.size());
  const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(window, count));
  PodVector<WindowLevelScratch::Open>& open = scratch.open;
  open.clear();
  // Ends the shingles whose hash is above `hash`, before the place `end`; returns where they began.
  const auto close = [&](std::int64_t hash, std::uint32_t end) {
    std::uint32_t begin = end;
    for (; !open.empty() && open.back().hash > hash; open.resize_for_overwrite(open.size() - 1)) {
      begin = open.back().begin;
      const std::uint32_t extent = end - begin;
      if (extent < least) continue;
      const std::size_t windows = std::max<std::size_t>(extent / window, 1);
      chosen.push_back({open.back().place, static_cast<std::uint32_t>(std::bit_width(windows)) - 1});
    }
    return begin;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t hash = scratch.selection[i];
    const std::uint32_t begin = close(hash, i);
    if (open.empty() || open.back().hash < hash) open.push_back({hash, i, begin});
  }
  close(-1, count);
}

}  // namespace leitong
