// Fingerprints of 64 and 128 bits: the values that the Hamming engine joins and searches.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace leitong::hamming {

using Fingerprint64 = std::uint64_t;

/// 128 bits as two words, in memory and in files the low one first. Ordered as the number that they form.
struct Fingerprint128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend constexpr bool operator==(const Fingerprint128&, const Fingerprint128&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const Fingerprint128& x,
                                                    const Fingerprint128& y) noexcept {
    return x.high != y.high ? x.high <=> y.high : x.low <=> y.low;
  }
  friend constexpr Fingerprint128 operator^(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low ^ y.low, x.high ^ y.high};
  }
  friend constexpr Fingerprint128 operator&(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low & y.low, x.high & y.high};
  }
  friend constexpr Fingerprint128 operator|(Fingerprint128 x, Fingerprint128 y) noexcept {
    return {x.low | y.low, x.high | y.high};
  }
  friend constexpr Fingerprint128 operator~(Fingerprint128 x) noexcept { return {~x.low, ~x.high}; }
};

template <class F>
concept Fingerprint = std::same_as<F, Fingerprint64> || std::same_as<F, Fingerprint128>;

/// Bits of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kBits = 8 * sizeof(F);

/// 64-bit words of a fingerprint type.
template <Fingerprint F>
inline constexpr unsigned kWords = sizeof(F) / sizeof(std::uint64_t);

[[nodiscard]] constexpr unsigned count_ones(Fingerprint64 x) noexcept {
  return static_cast<unsigned>(std::popcount(x));
}
[[nodiscard]] constexpr unsigned count_ones(Fingerprint128 x) noexcept {
  return count_ones(x.low) + count_ones(x.high);
}

/// The number of bits in which two fingerprints differ.
template <Fingerprint F>
[[nodiscard]] constexpr unsigned distance(F x, F y) noexcept {
  return count_ones(x ^ y);
}

/// Word 0 is the low one.
[[nodiscard]] constexpr std::uint64_t word(Fingerprint64 x, unsigned) noexcept { return x; }
[[nodiscard]] constexpr std::uint64_t word(Fingerprint128 x, unsigned i) noexcept {
  return i == 0 ? x.low : x.high;
}

/// The value whose only set bit is `i`. REQUIRES i < kBits<F>.
template <Fingerprint F>
[[nodiscard]] constexpr F single_bit(unsigned i) noexcept {
  if constexpr (std::same_as<F, Fingerprint64>) {
    return std::uint64_t{1} << i;
  } else {
    return i < 64 ? Fingerprint128{std::uint64_t{1} << i, 0}
                  : Fingerprint128{0, std::uint64_t{1} << (i - 64)};
  }
}

/// The lowest `count` set bits of `mask`, all of them if there are fewer.
template <Fingerprint F>
[[nodiscard]] constexpr F lowest_bits(F mask, unsigned count) noexcept {
  F taken{};
  for (unsigned i = 0; i < kBits<F> && count > 0; ++i) {
    const F bit = single_bit<F>(i);
    if ((mask & bit) == F{}) continue;
    taken = taken | bit;
    --count;
  }
  return taken;
}

}  // namespace leitong::hamming
