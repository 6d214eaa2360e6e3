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
  double precision = 1, recall = 1;
  [[nodiscard]] double f1() const noexcept {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  }
};

/// Pairs of documents: how many the result claims, how many are true, how many are both.
struct PairCounts {
  std::uint64_t claimed = 0, gold = 0, both = 0;
  [[nodiscard]] Score score() const noexcept;
};

/// A result that gives every document a cluster, against the same for the truth.
struct ClusterMetrics {
  PairCounts pairs;
  Score b_cubed;             ///< Bagga and Baldwin 1998: the mean over documents
  double adjusted_rand = 1;  ///< Hubert and Arabie 1985: 1 is equal, 0 what chance gives
  std::uint64_t documents = 0;
  std::uint64_t clusters = 0, gold_clusters = 0;  ///< singles count
  /// Share of documents that leave when each cluster keeps one.
  [[nodiscard]] double dedup_rate() const noexcept;
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
  DocumentPair pair;
  bool same = false;
};

/// What the result says about judged pairs; it isn't asked about others.
struct JudgedCounts {
  std::uint64_t same = 0, different = 0;                  ///< by the truth
  std::uint64_t claimed_same = 0, claimed_different = 0;  ///< of these, claimed by the result
  [[nodiscard]] PairCounts pairs() const noexcept {
    return {claimed_same + claimed_different, same, claimed_same};
  }
  [[nodiscard]] double accuracy() const noexcept;
};
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged, std::span<const Label> result);
[[nodiscard]] JudgedCounts judged_metrics(std::span<const JudgedPair> judged,
                                          std::vector<DocumentPair> claimed);

}  // namespace leitong
