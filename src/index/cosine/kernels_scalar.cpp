#include "index/cosine/kernel_loops.hpp"

namespace leitong {
namespace {

using Vector [[gnu::vector_size(16)]] = float;

}  // namespace

const CosineKernels kCosineScalar{multiply<Vector, 4, 2>, reach<Vector>, product<Vector>};

}  // namespace leitong
