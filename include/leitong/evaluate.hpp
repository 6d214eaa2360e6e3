// How near a result is to the truth: pairs, B-cubed, adjusted Rand.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace leitong {

/// Number of a cluster. Two documents are in one cluster if their labels are equal.
using Label = std::uint32_t;

/// Fractions of 1. A ratio of nothing to nothing is 1: who claims nothing claims nothing wrong.
struct Score {
  double precision = 1;  ///< true ones of those that the result claims
  double recall = 1;     ///< claimed ones of those that are true
  /// The harmonic mean of the two; 0 if both are 0.
  [[nodiscard]] double f1() const noexcept {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  }
};

/// Pairs of documents: how many the result claims, how many are true, how many are both.
struct PairCounts {
  std::uint64_t claimed = 0;  ///< by the result
  std::uint64_t gold = 0;     ///< by the truth
  std::uint64_t both = 0;     ///< by both
  /// As fractions.
  [[nodiscard]] Score score() const noexcept;
};

/// A result that gives every document a cluster, against the same for the truth.
struct ClusterMetrics {
  PairCounts pairs;                 ///< of documents in one cluster
  Score b_cubed;                    ///< Bagga and Baldwin 1998: the mean over documents
  double adjusted_rand = 1;         ///< Hubert and Arabie 1985: 1 is equal, 0 what chance gives
  std::uint64_t documents = 0;      ///< all of them
  std::uint64_t clusters = 0;       ///< of the result; singles count
  std::uint64_t gold_clusters = 0;  ///< of the truth; singles count
  /// Share of documents that leave when each cluster keeps one.
  [[nodiscard]] double dedup_rate() const noexcept;
  /// The same by the truth.
  [[nodiscard]] double gold_dedup_rate() const noexcept;
};

/// REQUIRES: one label a document in both. O(n log n), from the contingency table: a cluster of 1e6 costs no
/// more than its members.
[[nodiscard]] ClusterMetrics cluster_metrics(std::span<const Label> gold, std::span<const Label> result);

/// Unordered, in any order; (x, x) is no pair and a repeated pair counts once.
using DocumentPair = std::pair<std::uint32_t, std::uint32_t>;

/// Claimed pairs against true clusters. O(n log n + p log p).
[[nodiscard]] PairCounts pair_metrics(std::span<const Label> gold, std::vector<DocumentPair> claimed);

/// A judged pair: the truth says that the two are the same, or that they aren't.
struct JudgedPair {
  DocumentPair pair;  ///< the two documents
  bool same = false;  ///< what the truth says
};

/// What the result says about judged pairs; it isn't asked about others.
struct JudgedCounts {
  std::uint64_t same = 0;               ///< by the truth
  std::uint64_t different = 0;          ///< by the truth
  std::uint64_t claimed_same = 0;       ///< of the same ones, claimed by the result
  std::uint64_t claimed_different = 0;  ///< of the different ones, claimed by the result
  /// For precision and recall.
  [[nodiscard]] PairCounts pairs() const noexcept {
    return {claimed_same + claimed_different, same, claimed_same};
  }
  /// The share of judged pairs of which the result says what the truth says.
  [[nodiscard]] double accuracy() const noexcept;
};
/// A result that gives every document a cluster, against judged pairs. O(n).
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged, std::span<const Label> result);
/// The same for claimed pairs. O((n + p) log p).
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged,
                                          std::vector<DocumentPair> claimed);

}  // namespace leitong
