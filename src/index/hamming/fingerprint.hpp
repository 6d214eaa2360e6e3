// Bits and words of fingerprints, for the Hamming engine.
#pragma once

#include <cstdint>

#include "leitong/fingerprint.hpp"

namespace leitong::hamming {

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
