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
  // A bijection for each seed: equal hashes stay equal, and all others change their order.
  const std::uint32_t factor = seed[1] | 1;
  for (std::uint32_t& hash : hashes) {
    std::uint32_t x = (hash ^ seed[0]) * factor;
    x = (x ^ x >> 15 ^ seed[2]) * 0x2C1B3C6Du;
    hash = x ^ x >> 16;
  }
}

namespace {

// The places that a window of so many hashes may choose: the least hash of a half window that ends or begins
// there. The next smaller hash on either side of such a place is such a place, too.
void select_likely(std::span<const std::uint32_t> hashes, std::size_t window, WindowLevelScratch& scratch) {
  const std::size_t count = hashes.size(), half = std::bit_floor((window + 1) / 2);
  const std::size_t windows = count - half + 1;
  scratch.other.resize_for_overwrite(count + half);
  scratch.minima.resize_for_overwrite(count + half);
  const std::uint32_t* const minima =
      feature_kernels(simd_level())
          .minima(hashes.data(), windows, half, scratch.other.data(), scratch.minima.data());
  scratch.places.resize_for_overwrite(count);
  std::uint32_t* out = scratch.places.data();
  const auto select = [&](std::size_t from, std::size_t to, auto is_likely) {
    for (std::size_t i = from; i < to; ++i) {
      *out = static_cast<std::uint32_t>(i);
      out += is_likely(i);
    }
  };
  const auto begins = [&](std::size_t i) { return std::uint32_t{hashes[i] == minima[i]}; };
  const auto ends = [&](std::size_t i) { return std::uint32_t{hashes[i] == minima[i + 1 - half]}; };
  select(0, half - 1, begins);
  select(half - 1, windows, [&](std::size_t i) { return begins(i) | ends(i); });
  select(windows, count, ends);
  scratch.places.resize_for_overwrite(static_cast<std::size_t>(out - scratch.places.data()));
}

}  // namespace

void window_levels(std::span<const Unit> units, std::size_t k, std::size_t window, const SelectionSeed& seed,
                   WindowLevelScratch& scratch, PodVector<ChosenShingle>& chosen) {
  chosen.clear();
  if (units.size() < k) return;
  seeded_selection(units, k, seed, scratch.other, scratch.selection);
  const auto count = static_cast<std::uint32_t>(scratch.selection.size());
  const auto least = static_cast<std::uint32_t>(std::min<std::size_t>(window, count));
  select_likely(scratch.selection, least, scratch);
  PodVector<WindowLevelScratch::Open>& open = scratch.open;
  open.clear();
  // Ends the shingles whose hash is above `hash`, before the place `end`; returns where the last of them
  // began.
  const auto close = [&](std::int64_t hash, std::uint32_t end, std::uint32_t begin) {
    for (; !open.empty() && open.back().hash > hash; open.resize_for_overwrite(open.size() - 1)) {
      begin = open.back().begin;
      const std::uint32_t extent = end - begin;
      if (extent < least) continue;
      const std::size_t windows = std::max<std::size_t>(extent / window, 1);
      chosen.push_back({open.back().place, static_cast<std::uint32_t>(std::bit_width(windows)) - 1});
    }
    return begin;
  };
  std::uint32_t next = 0;  // after the previous place
  for (const std::uint32_t place : scratch.places) {
    const std::uint32_t hash = scratch.selection[place];
    const std::uint32_t begin = close(hash, place, next);
    if (open.empty() || open.back().hash < hash) open.push_back({hash, place, begin});
    next = place + 1;
  }
  close(-1, count, count);
}

}  // namespace leitong
