// Weighted MinHash: the share of equal values estimates sum of minima / sum of maxima (Ioffe 2010, improved
// consistent weighted sampling).
#pragma once

#include <cstdint>
#include <span>

#include "leitong/feature.hpp"

namespace leitong {

/// Writes values.size() values of a weighted set; features of weight 0 don't count, each hash occurs once.
/// False, and `values` as they are, where nothing has a weight. P(two values agree) = sum min(w) / sum max(w)
/// over all features of both, the weighted Jaccard coefficient, whose scale matters: compare documents of
/// like weights. O(n K) logarithms: about 40 ns each.
bool icws(std::span<const Feature> features, std::span<std::uint64_t> values);

/// The weighted Jaccard coefficient itself: the slow twin. REQUIRES both by rising hash, each hash once; 1
/// for two sets without weight.
[[nodiscard]] double weighted_jaccard(std::span<const Feature> a, std::span<const Feature> b) noexcept;

}  // namespace leitong
