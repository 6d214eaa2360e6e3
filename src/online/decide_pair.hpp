// Are two texts similar? The one place where a pair is decided, from both texts.
#pragma once

#include <optional>
#include <span>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// A text's shingles, as far as decisions have asked for them. One text after another may be set.
class Shingled {
 public:
  /// `units` must stay where they are.
  void set(std::span<const Unit> units) noexcept {
    units_ = units;
    has_set_ = has_order_ = false;
  }
  [[nodiscard]] std::span<const std::uint32_t> distinct();
  [[nodiscard]] std::span<const std::uint32_t> ordered();
  [[nodiscard]] const HashLookup& lookup();

 private:
  void make_order();
  std::span<const Unit> units_;
  bool has_set_ = false, has_order_ = false;
  PodVector<std::uint32_t> distinct_, ordered_, scratch_;
  HashLookup lookup_;
};

struct PairDecision {
  std::optional<VerifiedPair> accepted;
  /// The pair meets the rule, but not the higher bar for pairs that only common keys led to.
  bool refused_as_template = false;
  double jaccard = 0, containment = 0;
};

/// As the batch command decides (dedup/verify.cpp): by the rule; a pair of which all that led to it is common
/// must meet a higher bar, or share what it shares throughout both texts. REQUIRES texts that hold units.
PairDecision decide_pair(const Rule& rule, bool template_only, Shingled& a, Shingled& b);

}  // namespace leitong::online
