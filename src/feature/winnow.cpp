#include "feature/winnow.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "feature/kernels.hpp"

namespace leitong {
namespace {

// The shingles in one block: its four arrays stay in the first-level cache, and the overlap of a wide window
// costs little.
constexpr std::size_t kBlockWindows = 2048;

std::uint64_t key_of(const Unit* units, std::size_t k) {
  std::uint64_t hash = 0x2545F4914F6CDD1Du ^ k;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  std::size_t i = 0;
  for (; i + 2 <= k; i += 2) mix(units[i] | std::uint64_t{units[i + 1]} << 32);
  if (i < k) mix(units[i]);
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9u;
  return hash ^ hash >> 32;
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
  const std::size_t room = std::min(shingles, kBlockWindows + window) + k + 2 * kChoiceSlack;
  for (auto* part : {&scratch.selection, &scratch.minima, &scratch.other}) part->resize_for_overwrite(room);
  std::uint32_t* const other = scratch.other.data();
  std::uint32_t* const selection = scratch.selection.data() + kChoiceSlack;
  std::fill(scratch.selection.data(), selection, 0);

  if (shingles < window) {
    kernel.selection(units.data(), shingles, k, other, selection);
    std::size_t place = 0;
    for (std::size_t i = 1; i < shingles; ++i)
      if (selection[i] <= selection[place]) place = i;
    keys.push_back(key_of(units.data() + place, k));
    return;
  }

  const std::size_t windows = shingles - window + 1;
  std::uint32_t last_minimum = 0;
  for (std::size_t first = 0; first < windows; first += kBlockWindows) {
    const std::size_t count = std::min(kBlockWindows, windows - first);
    kernel.selection(units.data() + first, count + window - 1, k, other, selection);
    const std::uint32_t* minima = kernel.minima(selection, count, window, other, scratch.minima.data());
    std::uint32_t* const places = minima == other ? scratch.minima.data() : other;
    const bool fresh = first == 0 || minima[0] != last_minimum;
    last_minimum = minima[count - 1];
    const std::size_t chosen = kernel.choices(selection, minima, count, window, fresh, places);
    const std::size_t old = keys.size();
    keys.resize_for_overwrite(old + chosen);
    for (std::size_t i = 0; i < chosen; ++i) keys[old + i] = key_of(units.data() + first + places[i], k);
  }
}

}  // namespace leitong
