// MinHash: turns a set of shingles into numbers. The part of these that two documents share estimates the
// resemblance of their sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// Largest number of values in a signature.
inline constexpr std::size_t kMaxMinhashValues = 256;

/// One value of a signature: 16 bits of the smallest hash. Two values of sets that do not share their
/// smallest element agree by chance once in 65,536.
using MinhashValue = std::uint16_t;

/// The working space of minhash(), one for each thread.
struct MinhashScratch {
  PodVector<std::uint32_t> distinct;
};

/// Writes values.size() (1..256) values of a set of shingle hashes; elements may repeat and their order does
/// not matter. Returns false for an empty set, which resembles nothing, and leaves `values` unchanged.
///
/// The values are those of Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup 2017, section 3): in round t
/// < K every element draws a bin and a number in it, in round K + t it draws a number in bin t; every bin
/// keeps its smallest (round, number). After the first round that leaves no bin empty, later rounds cannot
/// change anything. Unbiased, with a variance of at most J(1 - J)/K, that of K permutations (lower for sets
/// smaller than K). There is one definition for texts of any length, since signatures of permutations and of
/// bins could not be compared. O(n + K log K) expected: at K = 128 about 2 us for up to some hundred
/// elements, and 2 ns for each element above that.
bool minhash(std::span<const std::uint32_t> elements, MinhashScratch& scratch,
             std::span<MinhashValue> values);

/// The estimated resemblance: the share of equal values. REQUIRES a.size() == b.size() > 0. Standard
/// deviation sqrt(J(1 - J)/K).
[[nodiscard]] double estimated_jaccard(std::span<const MinhashValue> a,
                                       std::span<const MinhashValue> b) noexcept;

/// Locality-sensitive hashing by bands: two signatures are candidates if all values of some band agree.
struct Banding {
  unsigned bands = 0;
  unsigned rows = 0;

  [[nodiscard]] std::size_t values() const noexcept { return std::size_t{bands} * rows; }

  /// The S-curve: 1 - (1 - J^rows)^bands, the probability that two documents of resemblance J are candidates.
  [[nodiscard]] double probability(double jaccard) const noexcept;
};

/// MinHash by K random permutations, all at once in vectors (Broder 1997).
///
/// Writes values.size() values, a multiple of 16 and at most 256: value k is the smallest of h a_k + b_k
/// modulo 2^32 over the elements' mixed hashes h (Carter and Wegman's family, a_k odd). Elements may repeat.
/// Returns false for an empty set and leaves `values` unchanged. The share of equal values estimates
/// resemblance with variance J(1 - J)/K. O(n K): faster than minhash() below about 400 elements, slower
/// above; the two kinds of values cannot be compared.
bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values);
bool minhash_permutations(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values,
                          Simd level);

/// MinHash by one permutation: every element is hashed once (Li, Owen, Zhang 2012), and empty bins are filled
/// by optimal densification (Shrivastava 2017).
///
/// Writes values.size() values, at most 256: bin k keeps the smallest hash that falls into it; an empty bin
/// copies the value of the first full one in a fixed random sequence of bins of its own. Elements may repeat.
/// Returns false for an empty set and leaves `values` unchanged. O(n + K log K). Errors are larger than those
/// of minhash() where there are fewer than a few times K elements; the two kinds of values cannot be
/// compared.
bool minhash_one_permutation(std::span<const std::uint32_t> elements, std::span<std::uint32_t> values);

}  // namespace leitong
