// Applies the bits of a hash to 64-bit values, four bits at a time, for the loops that every processor runs.
// Internal to src/signature.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "signature/simhash.hpp"

namespace leitong {

/// For each value of four bits, a word for each of the bits.
inline constexpr unsigned kNibble = 4;
using NibbleMasks = std::array<std::array<std::uint64_t, kNibble>, 1U << kNibble>;

constexpr NibbleMasks nibble_masks(std::uint64_t of_one, std::uint64_t of_zero) {
  NibbleMasks masks{};
  for (unsigned value = 0; value < masks.size(); ++value)
    for (unsigned bit = 0; bit < kNibble; ++bit)
      masks[value][bit] = (value >> bit & 1) != 0 ? of_one : of_zero;
  return masks;
}

/// Changes the sign where the bit is 0.
inline constexpr NibbleMasks kSigns = nibble_masks(0, std::uint64_t{1} << 63);
/// Sets all bits where the bit is 1.
inline constexpr NibbleMasks kAllBits = nibble_masks(~std::uint64_t{0}, 0);

/// So many sums stay in registers on every processor.
inline constexpr unsigned kSumsAtOnce = 16;

/// The fingerprint of the sums that sums_from(first) computes for the bits from `first` on.
template <class SumsFrom>
std::uint64_t signs_in_parts(const SumsFrom& sums_from, Ties ties) {
  std::array<double, kSimhashBits> sums;
  for (unsigned first = 0; first < kSimhashBits; first += kSumsAtOnce) {
    const std::array<double, kSumsAtOnce> part = sums_from(first);
    std::copy(part.begin(), part.end(), sums.begin() + first);
  }
  return simhash_signs(sums, ties);
}

}  // namespace leitong
