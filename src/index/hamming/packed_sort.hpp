// Sorts by leading bits. Internal to src/index/hamming.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// The `count` bits of a number below bit `top`. REQUIRES 0 < count <= 32, count <= top.
[[nodiscard]] constexpr std::uint64_t bits_below(Fingerprint64 x, unsigned top, unsigned count) noexcept {
  return x >> (top - count) & ((std::uint64_t{1} << count) - 1);
}
[[nodiscard]] constexpr std::uint64_t bits_below(Fingerprint128 x, unsigned top, unsigned count) noexcept {
  const unsigned low = top - count;
  const std::uint64_t from = low >= 64  ? x.high >> (low - 64)
                             : low == 0 ? x.low
                                        : x.low >> low | x.high << (64 - low);
  return from & ((std::uint64_t{1} << count) - 1);
}
template <Fingerprint F>
[[nodiscard]] constexpr std::uint64_t bits_below(const Row<F>& row, unsigned top, unsigned count) noexcept {
  return bits_below(row.fingerprint, top, count);
}

/// Sorts `n` values in `a`, which are equal from bit `top` on, with `b` as scratch; the result is in `a` if
/// `result_in_a`, else in `b`. Radix sort from the top: for random values two passes and an insertion sort.
template <class T>
void sort_by_leading_bits(T* a, T* b, std::size_t n, unsigned top, bool result_in_a) {
  constexpr std::size_t kFew = 24;
  constexpr unsigned kMostBits = 11;
  if (n <= kFew || top == 0) {
    if (n <= kFew) {
      for (std::size_t i = 1; i < n; ++i) {
        const T value = a[i];
        std::size_t j = i;
        for (; j > 0 && value < a[j - 1]; --j) a[j] = a[j - 1];
        a[j] = value;
      }
    } else {
      std::sort(a, a + n);
    }
    if (!result_in_a) std::copy(a, a + n, b);
    return;
  }
  const unsigned wanted = static_cast<unsigned>(std::bit_width(n)) - 3;
  const unsigned bits = std::min({wanted, kMostBits, top});
  std::array<std::size_t, (1u << kMostBits) + 1> begin;
  const std::size_t digits = std::size_t{1} << bits;
  std::fill_n(begin.begin(), digits + 1, 0);
  for (std::size_t i = 0; i < n; ++i) ++begin[bits_below(a[i], top, bits) + 1];
  for (std::size_t digit = 0; digit < digits; ++digit) begin[digit + 1] += begin[digit];
  for (std::size_t i = 0; i < n; ++i) b[begin[bits_below(a[i], top, bits)]++] = a[i];
  // Now begin[d] is the end of digit d.
  for (std::size_t digit = 0, first = 0; digit < digits; first = begin[digit++])
    if (const std::size_t size = begin[digit] - first; size > 0)
      sort_by_leading_bits(b + first, a + first, size, top - bits, !result_in_a);
}

}  // namespace leitong::hamming
