#include "evaluate/interval.hpp"

#include <cmath>

namespace leitong {

Interval wilson_interval(double hits, double trials) noexcept {
  constexpr double kDeviations = 1.959963984540054;  // of the normal distribution, for kConfidence
  if (trials <= 0) return {};
  const double share = hits / trials, square = kDeviations * kDeviations;
  const double centre = share + square / (2 * trials);
  const double reach = kDeviations * std::sqrt((share * (1 - share) + square / (4 * trials)) / trials);
  const double scale = 1 + square / trials;
  // Exact at the ends, where rounding would leave a trace.
  return {hits <= 0 ? 0.0 : (centre - reach) / scale, hits >= trials ? 1.0 : (centre + reach) / scale};
}

}  // namespace leitong
