// The refused pairs that came nearest to the threshold, by which a reader of the report judges the threshold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pair.hpp"

namespace leitong {

/// A refused pair.
struct RefusedPair {
  VerifiedPair pair;
  /// The part of what was required that the pair has, below 1: of shared shingles (Rule::shared_needed()), or
  /// of what the second decision looks at (SecondDecision::closeness).
  double closeness = 0;
};

/// Keeps the nearest of any number of pairs in constant memory. The result does not depend on their order.
class NearMisses {
 public:
  static constexpr std::size_t kMost = 500;

  /// Amortised O(log kMost).
  void add(const VerifiedPair& pair, double closeness) {
    if (closeness < floor_) return;
    kept_.push_back({pair, closeness});
    if (kept_.size() == 2 * kMost) prune();
  }
  /// Returns the pairs, nearest first, each once, and removes them.
  [[nodiscard]] std::vector<RefusedPair> take() {
    prune();
    return std::move(kept_);
  }
  /// Returns the same pairs and keeps them.
  [[nodiscard]] std::span<const RefusedPair> nearest() {
    prune();
    return kept_;
  }

 private:
  void prune() {
    const auto order = [](const RefusedPair& miss) {
      return std::tuple(-miss.closeness, miss.pair.a, miss.pair.b);
    };
    std::sort(kept_.begin(), kept_.end(),
              [&](const RefusedPair& x, const RefusedPair& y) { return order(x) < order(y); });
    const auto same = [&](const RefusedPair& x, const RefusedPair& y) { return order(x) == order(y); };
    kept_.erase(std::unique(kept_.begin(), kept_.end(), same), kept_.end());
    if (kept_.size() < kMost) return;
    kept_.resize(kMost);
    floor_ = kept_.back().closeness;
  }

  std::vector<RefusedPair> kept_;
  double floor_ = 0;
};

}  // namespace leitong
