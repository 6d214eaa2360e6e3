#include "base/kernel_families.hpp"
#include "index/cosine/kernel_loops.hpp"

namespace leitong {
namespace {

using Vector [[gnu::vector_size(16)]] = float;

}  // namespace

const CosineKernels kCosineScalar{multiply<Vector, 4, 2>, reach<Vector>, product<Vector>};

const CosineKernels& cosine_kernels(Simd level) noexcept {
  LEITONG_RETURN_KERNEL(level, kCosineScalar, kCosineAvx2, kCosineAvx512);
}

}  // namespace leitong
