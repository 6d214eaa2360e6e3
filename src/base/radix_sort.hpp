// Stable sorting by some bits of an integer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/pod_vector.hpp"

namespace leitong {

/// Sorts `values` by the bits [low, high) of `key(value)`; equal keys keep their order. `scratch` is working
/// space. O(n) per 11 bits; a digit that all values share costs one count.
template <class T, class Key>
void radix_sort(PodVector<T>& values, PodVector<T>& scratch, unsigned low, unsigned high, Key key) {
  constexpr unsigned kDigit = 11;
  const std::size_t n = values.size();
  if (n < 2) return;
  scratch.resize_for_overwrite(n);
  for (unsigned shift = low; shift < high; shift += kDigit) {
    const unsigned bits = high - shift < kDigit ? high - shift : kDigit;
    const std::uint64_t mask = (1u << bits) - 1;
    std::array<std::size_t, (1u << kDigit) + 1> begin{};
    for (const T& value : values) ++begin[((key(value) >> shift) & mask) + 1];
    if (begin[((key(values[0]) >> shift) & mask) + 1] == n) continue;
    for (std::size_t digit = 0; digit <= mask; ++digit) begin[digit + 1] += begin[digit];
    for (const T& value : values) scratch[begin[(key(value) >> shift) & mask]++] = value;
    std::swap(values, scratch);
  }
}

}  // namespace leitong
