#include "feature/neighbour_entropy.hpp"

#include <cmath>

namespace leitong {

double neighbour_entropy(std::span<const std::uint64_t> counts) noexcept {
  double all = 0, sum = 0;
  for (const std::uint64_t count : counts) all += static_cast<double>(count);
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / all;
    sum -= p * std::log2(p);
  }
  return sum;
}

}  // namespace leitong
