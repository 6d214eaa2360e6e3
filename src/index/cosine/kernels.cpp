#include "index/cosine/kernels.hpp"

#include "base/kernel_families.hpp"

namespace leitong {

const CosineKernels& cosine_kernels([[maybe_unused]] Simd level) noexcept {
#if defined(__x86_64__)
  if (level == Simd::avx512) return kCosineAvx512;
#endif
#if defined(LEITONG_AVX2_KERNELS)
  if (level == Simd::avx2) return kCosineAvx2;
#endif
  return kCosineScalar;
}

}  // namespace leitong
