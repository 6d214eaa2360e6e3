#include "evaluate/interval.hpp"

#include <cmath>

namespace leitong {

Interval wilson_interval(double hits, double trials) noexcept {
  // Standard deviations of the normal distribution for kConfidence.
  constexpr double kDeviations = 1.959963984540054;
  if (trials <= 0) return {};
  const double share = hits / trials, square = kDeviations * kDeviations;
  const double centre = share + square / (2 * trials);
  const double reach = kDeviations * std::sqrt((share * (1 - share) + square / (4 * trials)) / trials);
  const double scale = 1 + square / trials;
  // The ends are set exactly, since rounding would make them inexact.
  return {hits <= 0 ? 0.0 : (centre - reach) / scale, hits >= trials ? 1.0 : (centre + reach) / scale};
}

}  // namespace leitong
