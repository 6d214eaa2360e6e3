// E-Simhash: SimHash whose words are weighted by the entropy of their neighbours and depend on their places
// (Zhang Hang et al. 2020).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "leitong/feature.hpp"
#include "signature/simhash.hpp"

namespace leitong {

/// How TF-IDF and neighbour entropy are combined to one weight; the paper's own formula is not public.
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

/// The weight, at most `cap` (0: no limit).
[[nodiscard]] float entropy_weight(double tf_idf, double left_entropy, double right_entropy,
                                   EntropyBlend blend, double cap) noexcept;

/// As published: every occurrence p of a feature adds hash XOR p with its weight. Since p is a small number,
/// places affect only the lowest ceil(log2 d) bits of a fingerprint.
[[nodiscard]] std::optional<std::uint64_t> e_simhash_literal(std::span<const PlacedFeature> features,
                                                             Ties ties = Ties::mask);

/// Corrected: uses hash XOR a mixed hash of the eighth of the document that holds the occurrence, so that
/// places affect every bit, and a word that is inserted at the beginning does not change all others. `length`
/// is the number of occurrences of all features.
[[nodiscard]] std::optional<std::uint64_t> e_simhash(std::span<const PlacedFeature> features,
                                                     std::uint32_t length, Ties ties = Ties::mask);

}  // namespace leitong
