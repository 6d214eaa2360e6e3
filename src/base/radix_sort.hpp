// Stable sorting by some bits of an integer.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/pod_vector.hpp"

namespace leitong {

/// Sorts `values` by the bits [low, high) of `key(value)`; equal keys keep their order. `scratch` is working
/// space. O(n) per 11 bits, and per fewer bits of few values, which would not pay for counters of all digits;
/// a digit that all values share costs one count.
template <class T, class Key>
void radix_sort(PodVector<T>& values, PodVector<T>& scratch, unsigned low, unsigned high, Key key) {
  constexpr unsigned kFewest = 4, kMost = 11;  // bits of a digit
  const std::size_t n = values.size();
  if (n < 2) return;
  scratch.resize_for_overwrite(n);
  const unsigned digit_bits = std::clamp(static_cast<unsigned>(std::bit_width(n)), kFewest, kMost);
  std::array<std::size_t, (1u << kMost) + 1> begin;
  for (unsigned shift = low; shift < high; shift += digit_bits) {
    const unsigned bits = std::min(high - shift, digit_bits);
    const std::uint64_t mask = (1u << bits) - 1;
    std::fill_n(begin.begin(), mask + 2, 0);
    for (const T& value : values) ++begin[((key(value) >> shift) & mask) + 1];
    if (begin[((key(values[0]) >> shift) & mask) + 1] == n) continue;
    for (std::size_t digit = 0; digit <= mask; ++digit) begin[digit + 1] += begin[digit];
    for (const T& value : values) scratch[begin[(key(value) >> shift) & mask]++] = value;
    std::swap(values, scratch);
  }
}

}  // namespace leitong
