// Weighted MinHash (Ioffe 2010, improved consistent weighted sampling): the share of equal values estimates
// the sum of minima / the sum of maxima.
#pragma once

#include <cstdint>
#include <span>

#include "leitong/feature.hpp"

namespace leitong {

/// Writes values.size() values of a weighted set. Each hash occurs once; features of weight 0 do not count.
/// Returns false, and leaves `values` unchanged, if no feature has a weight. P(two values agree) = sum min(w)
/// / sum max(w) over all features of both: the weighted Jaccard coefficient. The scale of the weights
/// matters, so compare documents of similar weights. O(n K) logarithms of about 40 ns each.
bool icws(std::span<const Feature> features, std::span<std::uint64_t> values);

/// The weighted Jaccard coefficient itself, as the slow reference. REQUIRES both sets in the order of their
/// hashes, each hash once. Returns 1 for two sets without weight.
[[nodiscard]] double weighted_jaccard(std::span<const Feature> a, std::span<const Feature> b) noexcept;

}  // namespace leitong
