// MinHash: a set of shingles -> numbers of which two documents share as large a part as their sets resemble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"

namespace leitong {

/// Largest number of values in a signature.
inline constexpr std::size_t kMaxMinhashValues = 256;

/// One value of a signature: 16 bits of the hash that was smallest. Two values of different sets that don't
/// share their smallest element agree by chance once in 65,536.
using MinhashValue = std::uint16_t;

/// Working space of minhash(), one per thread.
struct MinhashScratch {
  PodVector<std::uint32_t> distinct;
};

/// Writes values.size() (1..256) values of a set of shingle hashes; elements may repeat, order doesn't
/// matter. Returns false, and leaves `values` as they are, for an empty set: it resembles nothing.
///
/// The values are those of Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup 2017, section 3): in round t
/// < K every element draws a bin and a number in it, in round K + t it draws a number in bin t; every bin
/// keeps its smallest (round, number); after the first round that leaves no bin empty later ones can't change
/// anything. Unbiased, variance at most J(1 - J)/K as K permutations have it (below it for sets smaller than
/// K), one definition for texts of any length: a signature of permutations and one of bins wouldn't compare.
/// O(n + K log K) expected: at K = 128 about 2 us up to some hundred elements, and 2 ns an element beyond.
bool minhash(std::span<const std::uint32_t> elements, MinhashScratch& scratch,
             std::span<MinhashValue> values);

/// Estimated resemblance: the share of equal values. REQUIRES a.size() == b.size() > 0. Standard deviation
/// sqrt(J(1 - J)/K).
[[nodiscard]] double estimated_jaccard(std::span<const MinhashValue> a,
                                       std::span<const MinhashValue> b) noexcept;

/// Locality-sensitive hashing by bands: two signatures meet when all values of some band agree.
struct Banding {
  unsigned bands = 0;
  unsigned rows = 0;

  [[nodiscard]] std::size_t values() const noexcept { return std::size_t{bands} * rows; }

  /// The S-curve: 1 - (1 - J^rows)^bands, the probability that two documents of resemblance J meet.
  [[nodiscard]] double probability(double jaccard) const noexcept;
};

}  // namespace leitong
