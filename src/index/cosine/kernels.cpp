#include "index/cosine/kernels.hpp"

namespace leitong {

const CosineKernels& cosine_kernels(Simd level) noexcept {
  switch (level) {
    case Simd::avx512:
      return kCosineAvx512;
    case Simd::avx2:
      return kCosineAvx2;
    case Simd::scalar:
      break;
  }
  return kCosineScalar;
}

}  // namespace leitong
