#include "similarity/intersect.hpp"

#include "base/kernel_families.hpp"
#include "similarity/intersect_kernel.hpp"

namespace leitong {

std::size_t intersect_scalar(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                             std::size_t nb) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t shared = 0;
  // Hashes are random, so the processor would predict half of the branches wrongly.
  while (i < na && j < nb) {
    const std::uint32_t x = a[i];
    const std::uint32_t y = b[j];
    shared += x == y;
    i += x <= y;
    j += y <= x;
  }
  return shared;
}

std::size_t intersection_size(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  return intersection_size(a, b, simd_level());
}

std::size_t intersection_size(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                              [[maybe_unused]] Simd level) noexcept {
  IntersectKernel kernel = intersect_scalar;
#if defined(LEITONG_AVX2_KERNELS)
  if (level >= Simd::avx2)
    kernel = intersect_avx2;  // a kernel of 16 lanes was slower: the comparisons grow faster than the step
#endif
  return kernel(a.data(), a.size(), b.data(), b.size());
}

double resemblance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  const std::size_t shared = intersection_size(a, b), either = a.size() + b.size() - shared;
  return either == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(either);
}

double containment(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  return a.empty() ? 1 : static_cast<double>(intersection_size(a, b)) / static_cast<double>(a.size());
}

}  // namespace leitong
