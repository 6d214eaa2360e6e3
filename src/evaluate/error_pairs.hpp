// Finds where a result and the truth disagree, pair by pair, for a person to examine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "leitong/evaluate.hpp"

namespace leitong {

/// Some of the pairs, evenly chosen. PairCounts has the number of all of them.
struct ErrorPairs {
  std::vector<DocumentPair> false_positives;  ///< claimed, but different by the truth
  std::vector<DocumentPair> false_negatives;  ///< the same by the truth, but not claimed
};

/// Compares claimed pairs with true clusters and returns at most `most` pairs of each kind. At most 10,000
/// pairs of one cluster are examined, beginning with those of near members, so that a cluster of a million
/// takes no more time. O(n log n + p log p).
[[nodiscard]] ErrorPairs error_pairs(std::span<const Label> gold, std::vector<DocumentPair> claimed,
                                     std::size_t most);
/// Compares a result that gives every document a cluster. REQUIRES: one label for each document in both.
[[nodiscard]] ErrorPairs error_pairs(std::span<const Label> gold, std::span<const Label> result,
                                     std::size_t most);
/// Compares judged pairs. Nothing is known about other pairs.
[[nodiscard]] ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::vector<DocumentPair> claimed,
                                     std::size_t most);
[[nodiscard]] ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::span<const Label> result,
                                     std::size_t most);

}  // namespace leitong
