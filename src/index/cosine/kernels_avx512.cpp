#include "index/cosine/kernel_loops.hpp"

namespace leitong {
namespace {

using Vector [[gnu::vector_size(64)]] = float;

}  // namespace

const CosineKernels kCosineAvx512{multiply<Vector, 8, 2>, reach<Vector>, product<Vector>};

}  // namespace leitong
