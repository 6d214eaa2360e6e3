// The refused pairs that came nearest to the rule: what a reader of the report judges the threshold by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pair.hpp"

namespace leitong {

/// A pair that the rule refused.
struct RefusedPair {
  VerifiedPair pair;
  /// What it has as a part of what was asked of it, below 1: shared shingles (Rule::shared_needed()), or what
  /// the second decision looks at (SecondDecision::closeness).
  double closeness = 0;
};

/// Keeps the nearest ones of any number, in constant memory. What it keeps doesn't depend on their order.
class NearMisses {
 public:
  static constexpr std::size_t kMost = 500;

  /// Amortised O(log kMost).
  void add(const VerifiedPair& pair, double closeness) {
    if (closeness < floor_) return;
    kept_.push_back({pair, closeness});
    if (kept_.size() == 2 * kMost) prune();
  }
  /// The nearest first, each pair once.
  [[nodiscard]] std::vector<RefusedPair> take() {
    prune();
    return std::move(kept_);
  }
  /// The same, and they stay.
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
