#include "index/cosine/kernel_loops.hpp"

namespace leitong {
namespace {

using Vector [[gnu::vector_size(32)]] = float;

}  // namespace

const CosineKernels kCosineAvx2{multiply<Vector, 4, 2>, reach<Vector>, product<Vector>};

}  // namespace leitong
