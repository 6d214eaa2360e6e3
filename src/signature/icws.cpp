#include "leitong/icws.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"

namespace leitong {
namespace {

/// Uniform in (0, 1), without its ends.
double uniform(std::uint64_t hash) { return (static_cast<double>(hash >> 12) + 0.5) * 0x1p-52; }

}  // namespace

bool icws(std::span<const Feature> features, std::span<std::uint64_t> values) {
  if (std::none_of(features.begin(), features.end(), [](const Feature& f) { return f.weight > 0; }))
    return false;
  for (std::uint64_t k = 0; k < values.size(); ++k) {
    double least = HUGE_VAL;
    for (const Feature& feature : features) {
      if (!(feature.weight > 0)) continue;
      std::uint64_t state = mix64(feature.hash ^ mix64(k + 1));
      const auto draw = [&state] { return uniform(state = mix64(state + 0x9e3779b97f4a7c15ULL)); };
      // Gamma(2, 1) is the sum of two exponentials.
      const double u1 = draw(), u2 = draw(), v1 = draw(), v2 = draw(), beta = draw();
      const double r = -std::log(u1 * u2), c = -std::log(v1 * v2);
      const double t = std::floor(std::log(double{feature.weight}) / r + beta);
      const double ln_a = std::log(c) - r * (t - beta + 1);
      if (ln_a >= least) continue;
      least = ln_a;
      values[k] = mix64(feature.hash ^ mix64(static_cast<std::uint64_t>(static_cast<std::int64_t>(t)) ^ k));
    }
  }
  return true;
}

double weighted_jaccard(std::span<const Feature> a, std::span<const Feature> b) noexcept {
  double minima = 0, maxima = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].hash <= b[j].hash);
    const bool from_b = i == a.size() || (j < b.size() && b[j].hash <= a[i].hash);
    const double x = from_a ? double{a[i].weight} : 0, y = from_b ? double{b[j].weight} : 0;
    minima += std::min(x, y);
    maxima += std::max(x, y);
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  return maxima == 0 ? 1 : minima / maxima;
}

}  // namespace leitong
