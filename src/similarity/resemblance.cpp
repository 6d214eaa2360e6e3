#include "similarity/resemblance.hpp"

#include "similarity/intersect.hpp"

namespace leitong {

double resemblance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  const std::size_t shared = intersection_size(a, b), either = a.size() + b.size() - shared;
  return either == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(either);
}

double containment(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  return a.empty() ? 1 : static_cast<double>(intersection_size(a, b)) / static_cast<double>(a.size());
}

}  // namespace leitong
