// How long the runs of units are that a sketch of the scheme "edit" holds, for the sketch and for its join.
#pragma once

#include <cstddef>

namespace leitong {

/// Part of the runs that a pair has to share at least: less of it makes a join of everything with everything.
inline constexpr double kLeastSharedRuns = .25;
inline constexpr std::size_t kLongestRun = 8;

/// The longest runs of which texts of this edit similarity share so large a part.
[[nodiscard]] constexpr std::size_t edit_run_length(double threshold) {
  for (std::size_t q = kLongestRun; q > 1; --q)
    if (1 - static_cast<double>(q) * (1 - threshold) >= kLeastSharedRuns) return q;
  return 1;
}

}  // namespace leitong
