// b-bit MinHash: the lowest b bits of each value (Li and Koenig 2010).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong {

/// The lowest `bits` (1..16) of every value, packed without gaps, the first value lowest.
[[nodiscard]] std::vector<std::uint64_t> pack_b_bits(std::span<const std::uint32_t> values, unsigned bits);

/// Estimates the Jaccard coefficient of two packed signatures of `count` values: J = (P - 2^-b) / (1 - 2^-b),
/// where P is the share of equal values, since unrelated values agree with probability 2^-b. The estimate can
/// be below 0. Its variance is P(1 - P) / (K (1 - 2^-b)^2) for K values.
[[nodiscard]] double b_bit_jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                   std::size_t count, unsigned bits) noexcept;

}  // namespace leitong
