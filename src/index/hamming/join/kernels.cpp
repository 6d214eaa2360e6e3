#include "index/hamming/join/kernels.hpp"

#include "base/kernel_families.hpp"

namespace leitong::hamming {

const Kernels& kernels([[maybe_unused]] Simd level, unsigned words) noexcept {
#if defined(__x86_64__)
  if (level == Simd::avx512) return kAvx512Kernels[words - 1];
#endif
#if defined(LEITONG_AVX2_KERNELS)
  if (level == Simd::avx2) return kAvx2Kernels[words - 1];
#endif
  return kScalarKernels[words - 1];
}

}  // namespace leitong::hamming
