// The uncertainty of a share that was measured on a sample.
#pragma once

namespace leitong {

/// A confidence interval; both ends are within [0, 1].
struct Interval {
  double low = 0, high = 1;
};

/// The score interval of a share of which `hits` of `trials` independent trials were seen (Wilson 1927): with
/// the confidence kConfidence it holds the true share. Unlike the textbook's p +- z sqrt(pq/n) it is
/// meaningful for 4 out of 4 (0.51 to 1). `trials` may be a fraction, as effective sample sizes are. [0, 1]
/// for no trials. REQUIRES 0 <= hits <= trials.
[[nodiscard]] Interval wilson_interval(double hits, double trials) noexcept;

inline constexpr double kConfidence = .95;

}  // namespace leitong
