// Compares scored pairs with the truth: the score for each threshold, and its uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/interval.hpp"
#include "leitong/evaluate.hpp"

namespace leitong {

/// A pair that a method claims, and the score that the method gives it.
struct ScoredPair {
  DocumentPair pair;
  float score = 0;
};

/// The two halves of the truth: a hash of the name of its smallest document decides to which half a cluster
/// belongs.
enum class Half : std::uint8_t { tune, test };

/// The truth in the form that curves need: the cluster of each document, numbered without gaps, and the half
/// of each cluster.
struct SplitGold {
  std::vector<Label> label;  ///< for each document
  std::vector<Half> half;    ///< for each label
};
/// `names[d]` identifies document d, independent of its number.
[[nodiscard]] SplitGold split_gold(std::span<const Label> gold, std::span<const std::uint64_t> names);

/// Judged pairs: the names of its documents decide to which half a pair belongs.
struct SplitPairs {
  std::vector<JudgedPair> pairs;
  std::vector<Half> half;
};
[[nodiscard]] SplitPairs split_pairs(std::vector<JudgedPair> judged, std::span<const std::uint64_t> names);

/// The score at one threshold, on each half alone. A false pair that joins clusters of both halves counts as
/// a half in each.
struct CurvePoint {
  double threshold = 0;
  Score tune, test;
};

/// One point for each threshold: the score if all pairs with at least this score are claimed. O(pairs *
/// thresholds).
[[nodiscard]] std::vector<CurvePoint> threshold_curve(const SplitGold& gold,
                                                      std::span<const ScoredPair> pairs,
                                                      std::span<const double> thresholds);
[[nodiscard]] std::vector<CurvePoint> threshold_curve(const SplitPairs& gold,
                                                      std::span<const ScoredPair> pairs,
                                                      std::span<const double> thresholds);

/// The confidence interval of F1 on one half at one threshold: its clusters are drawn 1,000 times with
/// replacement (Efron 1979). Clusters are drawn and not pairs, since the pairs of a cluster depend on each
/// other; for judged pairs the pairs are drawn. The same arguments always give the same result.
[[nodiscard]] Interval bootstrap_f1(const SplitGold& gold, std::span<const ScoredPair> pairs,
                                    double threshold, Half half);
[[nodiscard]] Interval bootstrap_f1(const SplitPairs& gold, std::span<const ScoredPair> pairs,
                                    double threshold, Half half);

}  // namespace leitong
