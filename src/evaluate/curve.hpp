// Scored pairs against the truth: what would each threshold have given, and how sure is that?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/interval.hpp"
#include "leitong/evaluate.hpp"

namespace leitong {

/// A pair that a method claims, and how sure it is.
struct ScoredPair {
  DocumentPair pair;
  float score = 0;
};

/// The two halves of the truth: clusters fall to one or the other by a hash of their smallest document's
/// name.
enum class Half : std::uint8_t { tune, test };

/// The truth as curves need it: each document's cluster, numbered densely, and each cluster's half.
struct SplitGold {
  std::vector<Label> label;  ///< of each document
  std::vector<Half> half;    ///< of each label
};
/// `names[d]` identifies document d whatever its number.
[[nodiscard]] SplitGold split_gold(std::span<const Label> gold, std::span<const std::uint64_t> names);

/// Judged pairs instead: each falls to a half by its documents' names.
struct SplitPairs {
  std::vector<JudgedPair> pairs;
  std::vector<Half> half;
};
[[nodiscard]] SplitPairs split_pairs(std::vector<JudgedPair> judged, std::span<const std::uint64_t> names);

/// The score at one threshold, on each half alone. A false pair that joins clusters of both halves counts
/// half in each.
struct CurvePoint {
  double threshold = 0;
  Score tune, test;
};

/// One point for each threshold: what claims all pairs that score at least so much. O(pairs * thresholds).
[[nodiscard]] std::vector<CurvePoint> threshold_curve(const SplitGold& gold,
                                                      std::span<const ScoredPair> pairs,
                                                      std::span<const double> thresholds);
[[nodiscard]] std::vector<CurvePoint> threshold_curve(const SplitPairs& gold,
                                                      std::span<const ScoredPair> pairs,
                                                      std::span<const double> thresholds);

/// Confidence interval of F1 on one half at one threshold: its clusters are drawn anew with replacement 1,000
/// times (Efron 1979; clusters and not pairs, since the pairs of a cluster stand or fall together). The same
/// numbers each time. Of judged pairs the pairs are drawn.
[[nodiscard]] Interval bootstrap_f1(const SplitGold& gold, std::span<const ScoredPair> pairs,
                                    double threshold, Half half);
[[nodiscard]] Interval bootstrap_f1(const SplitPairs& gold, std::span<const ScoredPair> pairs,
                                    double threshold, Half half);

}  // namespace leitong
