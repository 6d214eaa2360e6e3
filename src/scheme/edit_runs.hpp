// The length of the runs of units in a sketch of the scheme "edit", for the sketch and for its join.
#pragma once

#include <cstddef>

namespace leitong {

/// The least part of the runs that a pair must share: with less, a join would compare nearly all pairs.
inline constexpr double kLeastSharedRuns = .25;
inline constexpr std::size_t kLongestRun = 8;

/// The longest runs of which texts of this edit similarity share at least this part.
[[nodiscard]] constexpr std::size_t edit_run_length(double threshold) {
  for (std::size_t q = kLongestRun; q > 1; --q)
    if (1 - static_cast<double>(q) * (1 - threshold) >= kLeastSharedRuns) return q;
  return 1;
}

}  // namespace leitong
