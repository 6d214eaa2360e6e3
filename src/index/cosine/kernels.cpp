#include "index/cosine/kernels.hpp"

namespace leitong {

const CosineKernels& cosine_kernels([[maybe_unused]] Simd level) noexcept {
#if defined(__x86_64__)
  switch (level) {
    case Simd::avx512:
      return kCosineAvx512;
    case Simd::avx2:
      return kCosineAvx2;
    case Simd::scalar:
      break;
  }
#endif
  return kCosineScalar;
}

}  // namespace leitong
