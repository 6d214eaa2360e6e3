// The uncertainty of a share that was measured on a sample.
#pragma once

#include <cmath>

namespace leitong {

/// A confidence interval; both ends are within [0, 1].
struct Interval {
  double low = 0, high = 1;
};

inline constexpr double kConfidence = .95;

/// The score interval of a share of which `hits` of `trials` independent trials were seen (Wilson 1927): with
/// the confidence kConfidence it holds the true share. Unlike the textbook's p +- z sqrt(pq/n) it is
/// meaningful for 4 out of 4 (0.51 to 1). `trials` may be a fraction, as effective sample sizes are. [0, 1]
/// for no trials. REQUIRES 0 <= hits <= trials.
[[nodiscard]] inline Interval wilson_interval(double hits, double trials) noexcept {
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
