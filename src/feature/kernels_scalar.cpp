#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

std::size_t changes(const u32* values, std::size_t count, u32* places) {
  std::size_t found = 0;
  for (std::size_t i = 1; i < count; ++i) {
    places[found] = static_cast<u32>(i);
    found += values[i] != values[i - 1];
  }
  return found;
}

}  // namespace

const FeatureKernels& feature_kernels_scalar() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop, selection_loop, minima_loop, changes};
  return kernels;
}

const FeatureKernels& feature_kernels([[maybe_unused]] Simd level) noexcept {
#if defined(__x86_64__)
  if (level == Simd::avx512) return feature_kernels_avx512();
  if (level == Simd::avx2) return feature_kernels_avx2();
#endif
  return feature_kernels_scalar();
}

}  // namespace leitong
