// How far a pair is from the threshold of the rule. The most doubtful decisions are the nearest ones.
#pragma once

#include <cstddef>
#include <optional>

#include "base/pair.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The value of a measure and what the rule requires of it.
struct Margin {
  Measure measure = Measure::jaccard;
  double value = 0;  ///< value of the pair
  double bar = 0;    ///< the least value that the rule calls similar

  /// Above 0 the pair is similar by this measure, below 0 it is not.
  [[nodiscard]] double over() const noexcept { return value - bar; }
};

/// The margin of the measure that supports the pair most: one measure is enough for the rule, so the better
/// one says how certain the pair is. `na` and `nb` are the numbers of distinct shingles. Returns nothing for
/// pairs that no rule decided (identical texts, estimates), and for pairs that only the second decision
/// accepts. A pair that only template keys found is also measured by the general rule, though the rule
/// requires more of it. REQUIRES: na, nb > 0.
[[nodiscard]] std::optional<Margin> margin_of(const Rule& rule, const VerifiedPair& pair, std::size_t na,
                                              std::size_t nb) noexcept;

}  // namespace leitong
