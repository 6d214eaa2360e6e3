// How good a result is against the truth: pairs, B-cubed, adjusted Rand.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace leitong {

/// The number of a cluster. Two documents are in one cluster if their labels are equal.
using Label = std::uint32_t;

/// Precision and recall, from 0 to 1. A ratio of 0 to 0 counts as 1, because a result that claims nothing
/// claims nothing wrong.
struct Score {
  double precision = 1;  ///< share of the claimed pairs that are true
  double recall = 1;     ///< share of the true pairs that are claimed
  /// The harmonic mean of the two; 0 if both are 0.
  [[nodiscard]] double f1() const noexcept {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  }
};

/// Numbers of pairs of documents.
struct PairCounts {
  std::uint64_t claimed = 0;  ///< pairs that the result claims
  std::uint64_t gold = 0;     ///< pairs that are true
  std::uint64_t both = 0;     ///< claimed pairs that are true
  /// The counts as precision and recall.
  [[nodiscard]] Score score() const noexcept;
};

/// A result that gives every document a cluster, compared with the true clusters.
struct ClusterMetrics {
  PairCounts pairs;                 ///< pairs of documents in one cluster
  Score b_cubed;                    ///< Bagga and Baldwin 1998: the mean over documents
  double adjusted_rand = 1;         ///< Hubert and Arabie 1985: 1 for equal clusters, 0 on average by chance
  std::uint64_t documents = 0;      ///< number of documents
  std::uint64_t clusters = 0;       ///< clusters of the result; single documents count
  std::uint64_t gold_clusters = 0;  ///< clusters of the truth; single documents count
  /// The share of documents that leave if each cluster keeps one.
  [[nodiscard]] double dedup_rate() const noexcept;
  /// The share of documents that leave if each true cluster keeps one.
  [[nodiscard]] double gold_dedup_rate() const noexcept;
};

/// Compares a result with the truth. REQUIRES: one label for each document in both. O(n log n) for any sizes
/// of clusters, by the contingency table.
[[nodiscard]] ClusterMetrics cluster_metrics(std::span<const Label> gold, std::span<const Label> result);

/// Two documents in any order. (x, x) is no pair, and a repeated pair counts once.
using DocumentPair = std::pair<std::uint32_t, std::uint32_t>;

/// Compares claimed pairs with true clusters. O(n log n + p log p).
[[nodiscard]] PairCounts pair_metrics(std::span<const Label> gold, std::vector<DocumentPair> claimed);

/// A pair of which the truth says whether the two documents are the same.
struct JudgedPair {
  DocumentPair pair;  ///< the two documents
  bool same = false;  ///< what the truth says
};

/// What the result says about judged pairs. Other pairs do not count.
struct JudgedCounts {
  std::uint64_t same = 0;               ///< pairs that are the same
  std::uint64_t different = 0;          ///< pairs that are different
  std::uint64_t claimed_same = 0;       ///< pairs that are the same and claimed
  std::uint64_t claimed_different = 0;  ///< pairs that are different and claimed
  /// The counts for precision and recall.
  [[nodiscard]] PairCounts pairs() const noexcept {
    return {claimed_same + claimed_different, same, claimed_same};
  }
  /// The share of judged pairs on which result and truth agree.
  [[nodiscard]] double accuracy() const noexcept;
};
/// Compares a result that gives every document a cluster with judged pairs. O(n).
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged, std::span<const Label> result);
/// Compares claimed pairs with judged pairs. O((n + p) log p).
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged,
                                          std::vector<DocumentPair> claimed);

}  // namespace leitong
