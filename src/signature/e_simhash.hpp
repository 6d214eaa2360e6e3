// E-Simhash: SimHash whose words are weighted by the freedom of their neighbours and bound to their places
// (Zhang Hang et al. 2020).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "leitong/feature.hpp"
#include "signature/simhash.hpp"

namespace leitong {

/// How TF-IDF and neighbour entropy become one weight; the paper's own formula isn't public.
enum class EntropyBlend {
  product,      ///< tf-idf * H, with H the mean of left and right entropy
  mean,         ///< the mean of both
  root_square,  ///< the root of the mean of their squares
};

struct EntropyBlendName {
  EntropyBlend blend;
  std::string_view name;
};
[[nodiscard]] std::span<const EntropyBlendName> entropy_blend_names() noexcept;

/// The weight, at most `cap` (0: no cap).
[[nodiscard]] float entropy_weight(double tf_idf, double left_entropy, double right_entropy,
                                   EntropyBlend blend, double cap) noexcept;

/// As published: every occurrence p of a feature adds hash XOR p with its weight. Since p is a small number
/// only the lowest ceil(log2 d) bits of a fingerprint ever learn of places.
[[nodiscard]] std::optional<std::uint64_t> e_simhash_literal(std::span<const PlacedFeature> features,
                                                             Ties ties = Ties::mask);

/// Corrected: hash XOR a mixed hash of the eighth of the document that the occurrence is in, so that every
/// bit learns of it, and a word put in front doesn't move all others. `length`: occurrences of all features.
[[nodiscard]] std::optional<std::uint64_t> e_simhash(std::span<const PlacedFeature> features,
                                                     std::uint32_t length, Ties ties = Ties::mask);

}  // namespace leitong
