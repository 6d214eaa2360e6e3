// SimHash: turns weighted features into a fingerprint whose Hamming distance depends on the angle between the
// documents.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/cpu.hpp"
#include "leitong/feature.hpp"

namespace leitong {

/// The bits of a fingerprint.
inline constexpr unsigned kSimhashBits = 64;

/// The values of the bits whose weights cancel out: as many ones as zeros, otherwise arbitrary. They are part
/// of the definition of every stored fingerprint.
inline constexpr std::uint64_t kSimhashTieMask = 0x0b906d69d6ae19dcULL;

/// The bits that become 1 where all weights cancel out.
enum class Ties : std::uint64_t {
  mask = kSimhashTieMask,
  zero = 0,  ///< as in most published programs; makes unrelated texts of few features more similar
};

/// The fingerprint of sums, given which of them are above 0 and which are 0.
constexpr std::uint64_t break_ties(std::uint64_t positive, std::uint64_t zero, Ties ties = Ties::mask) {
  return positive | (zero & static_cast<std::uint64_t>(ties));
}

/// The sums behind a fingerprint, bit by bit: sums[b] is the sum over all features of +weight where bit b of
/// the hash is 1 and -weight where it is 0 (Charikar 2002, section 3; Manku, Jain, Das Sarma 2007, section
/// 2). Computes one sum for each of the lowest sums.size() bits, at most 64. Sums have double precision and
/// are taken in the order of the features. O(features * bits).
void simhash_sums(std::span<const Feature> features, std::span<double> sums) noexcept;

/// The signs of the sums: bit b is 1 where sums[b] > 0 and 0 where it is below. Where the weights cancel out
/// the bit is that of `ties`, by default a fixed random mask: for few features of equal weight ties are
/// common (17.6 % of the bits at 20), and a constant would make unrelated documents more similar.
[[nodiscard]] std::uint64_t simhash_signs(std::span<const double> sums, Ties ties = Ties::mask) noexcept;

/// 128 bits: bits 0..63 in the first element.
using Simhash128 = std::array<std::uint64_t, 2>;

/// The 128-bit fingerprint: its lower half is the 64-bit one, its upper half is that of the hashes mixed
/// again. Returns nothing without a feature of positive weight.
[[nodiscard]] std::optional<Simhash128> simhash128(std::span<const Feature> features, Ties ties = Ties::mask);

/// The 64-bit fingerprint, equal to simhash_signs(simhash_sums(features)) bit for bit. Returns nothing
/// without a feature of positive weight: an empty text resembles no other. P(a bit differs) = angle / pi.
/// About 10 ns a feature, 4 ns with AVX-512.
[[nodiscard]] std::optional<std::uint64_t> simhash(std::span<const Feature> features,
                                                   Ties ties = Ties::mask) noexcept;
[[nodiscard]] std::optional<std::uint64_t> simhash(std::span<const Feature> features, Simd level,
                                                   Ties ties = Ties::mask) noexcept;

}  // namespace leitong
