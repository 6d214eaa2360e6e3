// Removes repeated fingerprints from a bucket.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "index/hamming/value_filter.hpp"

namespace leitong::hamming {

/// Moves the first of each group of equal values to the front, in their order, and returns their number.
/// Calls `repeated(value)` for every value that is left out. `slots` is working space. Linear.
template <Fingerprint F, class Repeated>
std::size_t keep_unique(std::span<F> values, PodVector<std::uint32_t>& slots, Repeated repeated) {
  constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  const std::size_t capacity = std::bit_ceil(2 * values.size() + 1);
  slots.clear();
  slots.resize(capacity, kEmpty);
  std::size_t kept = 0;
  for (const F value : values) {
    std::size_t slot = hash_of(value) & (capacity - 1);
    while (slots[slot] != kEmpty && values[slots[slot]] != value) slot = (slot + 1) & (capacity - 1);
    if (slots[slot] != kEmpty) {
      repeated(value);
      continue;
    }
    slots[slot] = static_cast<std::uint32_t>(kept);
    values[kept++] = value;
  }
  return kept;
}

}  // namespace leitong::hamming
