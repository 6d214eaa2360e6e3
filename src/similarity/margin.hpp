// How far a pair is from the border of the rule: what a reader sorts by who looks for doubtful decisions.
#pragma once

#include <cstddef>
#include <optional>

#include "base/pair.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// A measure's value beside what the rule asks of it.
struct Margin {
  Measure measure = Measure::jaccard;
  double value = 0;  ///< of the pair
  double bar = 0;    ///< from here on the rule says "similar"

  /// Above 0 the pair is similar by this measure, below 0 it isn't.
  [[nodiscard]] double over() const noexcept { return value - bar; }
};

/// The margin of the measure that speaks most for the pair: one measure is enough for the rule, so a pair is
/// as sure as the better one. `na` and `nb` are the numbers of distinct shingles. Nothing for what no rule
/// decided (identical texts, estimates), and for what the second decision alone accepts. A pair that only
/// template keys led to is measured by the general rule, too, though the rule asks more of it. REQUIRES: na,
/// nb > 0.
[[nodiscard]] std::optional<Margin> margin_of(const Rule& rule, const VerifiedPair& pair, std::size_t na,
                                              std::size_t nb) noexcept;

}  // namespace leitong
