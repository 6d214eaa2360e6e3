// P-Simhash: the signature of every word is combined with one of its places before the words are added up
// (Zhang Yanan et al. 2022).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/cpu.hpp"
#include "leitong/feature.hpp"
#include "signature/simhash.hpp"

namespace leitong {

/// The paper's setting; it calls a mu between 1.4 and 1.9 useful.
inline constexpr double kPSimhashMu = 1.5;

/// The place signature as published (PBDR): the places of a term are distributed over 64 bins by one fixed
/// map that all terms share; bit b is 1 where bin b holds more than the mean. It does not depend on the word,
/// and is nearly all zero for a word that occurs once or twice.
[[nodiscard]] std::uint64_t place_signature_literal(std::span<const std::uint32_t> places) noexcept;

/// Corrected: divides the document into eight equal stretches. Each occurrence adds the hash of (term,
/// stretch), linearly divided between the two stretches whose middles are nearest; the result is the signs of
/// the sums. Bits are unbiased, different words have different signatures, and a word that is inserted at the
/// beginning changes little. REQUIRES places below `length`.
[[nodiscard]] std::uint64_t place_signature(std::uint64_t hash, std::span<const std::uint32_t> places,
                                            std::uint32_t length) noexcept;

/// The signs of the sum over the features of weight * (mu * s + (1 - mu) * s'), where s and s' are +1 or -1
/// by the bits of the hash and of the place signature; `ties` decides where the sum is 0. Returns nothing
/// without a feature of positive weight. `length` is the number of occurrences of all features of the
/// document.
[[nodiscard]] std::optional<std::uint64_t> p_simhash(std::span<const PlacedFeature> features,
                                                     std::uint32_t length, double mu = kPSimhashMu,
                                                     Simd level = simd_level(), Ties ties = Ties::mask);
[[nodiscard]] std::optional<std::uint64_t> p_simhash_literal(std::span<const PlacedFeature> features,
                                                             double mu = kPSimhashMu, Ties ties = Ties::mask);

}  // namespace leitong
