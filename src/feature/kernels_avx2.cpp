#include <immintrin.h>

#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

std::size_t changes(const u32* values, std::size_t count, u32* places) {
  std::size_t found = 0;
  std::size_t i = 1;
  for (; i + 8 <= count; i += 8) {
    const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + i));
    const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + i - 1));
    const int equal = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(here, before)));
    for (unsigned bits = static_cast<unsigned>(~equal) & 255; bits != 0; bits &= bits - 1)
      places[found++] = static_cast<u32>(i) + static_cast<u32>(__builtin_ctz(bits));
  }
  for (; i < count; ++i)
    if (values[i] != values[i - 1]) places[found++] = static_cast<u32>(i);
  return found;
}

}  // namespace

const FeatureKernels& feature_kernels_avx2() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop, selection_loop, minima_loop, changes};
  return kernels;
}

}  // namespace leitong
