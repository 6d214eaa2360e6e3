// The bands of the signatures of the scheme "minhash", and the value that their estimate has to reach: for
// the scheme and for the join of its sketches.
#pragma once

#include <algorithm>
#include <cstddef>

#include "scheme/params.hpp"
#include "signature/minhash.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// Reads the parameters `bands` and `rows`.
[[nodiscard]] inline Banding minhash_banding(const Params& params) {
  return {.bands = static_cast<unsigned>(params.whole("bands")),
          .rows = static_cast<unsigned>(params.whole("rows"))};
}

/// The number of values of a signature with these bands: whole vectors of permutations, and so whole words.
[[nodiscard]] inline std::size_t minhash_values(const Banding& banding) {
  return (banding.values() + 15) / 16 * 16;
}

/// The Jaccard value that the rule requires of texts of these sizes, for use where the estimate has to
/// decide.
[[nodiscard]] inline double least_accepted_jaccard(const Rule& rule, std::size_t units_a,
                                                   std::size_t units_b) {
  if (rule.measure == Measure::jaccard) return rule.threshold;
  return rule.jaccard_at_least(static_cast<double>(std::min(units_a, units_b)));
}

}  // namespace leitong
