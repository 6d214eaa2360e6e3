#include "feature/winnow.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "feature/kernels.hpp"

namespace leitong {
namespace {

// Shingles in one block: its four arrays stay in the first-level cache, and a wide window's overlap costs
// little.
constexpr std::size_t kBlockWindows = 2048;

std::uint64_t key_of(const Unit* units, std::size_t k) {
  std::uint64_t hash = 0x2545F4914F6CDD1Du ^ k;
  for (std::size_t i = 0; i < k; ++i) {
    hash = (hash ^ units[i]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9u;
  return hash ^ hash >> 32;
}

/// Place of the rightmost `value` in [begin, end), which holds one.
const std::uint32_t* rightmost(const std::uint32_t* begin, const std::uint32_t* end, std::uint32_t value) {
  do --end;
  while (end != begin && *end != value);
  return end;
}

}  // namespace

void winnow(std::span<const Unit> units, std::size_t k, std::size_t window, WinnowScratch& scratch,
            PodVector<std::uint64_t>& keys) {
  winnow(units, k, window, scratch, keys, simd_level());
}

void winnow(std::span<const Unit> units, std::size_t k, std::size_t window, WinnowScratch& scratch,
            PodVector<std::uint64_t>& keys, Simd level) {
  assert(k > 0 && std::has_single_bit(window));
  if (units.size() < k) return;
  const FeatureKernels& kernel = feature_kernels(level);
  const std::size_t shingles = units.size() - k + 1;
  const std::size_t room = std::max(std::min(shingles, kBlockWindows + window), window) + k + 16;
  for (auto* part : {&scratch.selection, &scratch.minima, &scratch.other}) part->resize_for_overwrite(room);
  std::uint32_t* selection = scratch.selection.data();

  if (shingles <= window) {
    kernel.selection(units.data(), shingles, k, scratch.other.data(), selection);
    const std::uint32_t smallest = *std::min_element(selection, selection + shingles);
    keys.push_back(
        key_of(units.data() + (rightmost(selection, selection + shingles, smallest) - selection), k));
    return;
  }

  const std::size_t windows = shingles - window + 1;
  std::uint32_t last_minimum = 0;
  for (std::size_t first = 0; first < windows; first += kBlockWindows) {
    const std::size_t count = std::min(kBlockWindows, windows - first);
    kernel.selection(units.data() + first, count + window - 1, k, scratch.other.data(), selection);
    const std::uint32_t* minima =
        kernel.minima(selection, count, window, scratch.other.data(), scratch.minima.data());
    const auto choose = [&](std::size_t i) {
      const std::uint32_t* place = rightmost(selection + i, selection + i + window, minima[i]);
      keys.push_back(key_of(units.data() + first + (place - selection), k));
    };
    if (first == 0 || minima[0] != last_minimum) choose(0);
    last_minimum = minima[count - 1];
    // The other buffer of the minima is free by now.
    std::uint32_t* places = minima == scratch.minima.data() ? scratch.other.data() : scratch.minima.data();
    const std::size_t changes = kernel.changes(minima, count, places);
    for (std::size_t i = 0; i < changes; ++i) choose(places[i]);
  }
}

}  // namespace leitong
