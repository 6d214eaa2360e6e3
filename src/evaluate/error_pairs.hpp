// Where a result and the truth disagree, pair by pair: what a person looks at.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "leitong/evaluate.hpp"

namespace leitong {

/// Some of the pairs, evenly chosen. How many there are in all is said by PairCounts.
struct ErrorPairs {
  std::vector<DocumentPair> false_positives;  ///< claimed, and different by the truth
  std::vector<DocumentPair> false_negatives;  ///< the same by the truth, and not claimed
};

/// Claimed pairs against true clusters; at most `most` of each kind. Of one cluster at most 10,000 pairs are
/// looked at, those of near members first, so that a cluster of a million costs no more. O(n log n + p log
/// p).
[[nodiscard]] ErrorPairs error_pairs(std::span<const Label> gold, std::vector<DocumentPair> claimed,
                                     std::size_t most);
/// A result that gives every document a cluster. REQUIRES: one label a document in both.
[[nodiscard]] ErrorPairs error_pairs(std::span<const Label> gold, std::span<const Label> result,
                                     std::size_t most);
/// Judged pairs; of others nothing is known.
[[nodiscard]] ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::vector<DocumentPair> claimed,
                                     std::size_t most);
[[nodiscard]] ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::span<const Label> result,
                                     std::size_t most);

}  // namespace leitong
