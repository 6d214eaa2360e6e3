// When are two texts "the same"? The decision rule over exact overlaps.
#pragma once

#include <cstdint>
#include <optional>

#include "leitong/result.hpp"
#include "similarity/pair.hpp"

namespace leitong {

/// The rule. With `measure` unset it is the default: Jaccard at least t(n), or containment at least .70 for
/// texts that are long enough. n is the number of distinct shingles of the smaller document.
struct Rule {
  std::optional<Measure> measure;  ///< jaccard, containment or edit alone, at `threshold`
  double threshold = 0;            ///< used with `measure`
  double jaccard_short = .35;      ///< t(n) up to n = 100 ..
  double jaccard_long = .40;       ///< .. rising with log n to this at n = 300
  double containment = .70;
  double template_jaccard = .60;  ///< asked of pairs that only common keys lead to
  double template_containment = .90;
  std::uint32_t containment_min = 64;       ///< n from which containment counts
  std::uint32_t containment_max = 256'000;  ///< and the largest larger document

  [[nodiscard]] double jaccard_at_least(double n) const noexcept;
  /// True if lengths alone (units, an upper bound of shingles) leave the rule reachable. Never refuses a pair
  /// that decide() would accept.
  [[nodiscard]] bool reachable(std::uint32_t units_a, std::uint32_t units_b) const noexcept;
  /// Smallest number of common shingles with which two sets of these sizes can be similar, for early refusal.
  /// The deciding measure with its value, or nothing. `shared` of `na` and `nb` distinct shingles are common.
  [[nodiscard]] std::optional<VerifiedPair> decide(const Candidate& candidate, std::size_t shared,
                                                   std::size_t na, std::size_t nb) const noexcept;
};

}  // namespace leitong
