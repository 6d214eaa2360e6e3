#include <immintrin.h>

#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

std::size_t changes(const u32* values, std::size_t count, u32* places) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::size_t found = 0;
  std::size_t i = 1;
  for (; i + 16 <= count; i += 16) {
    const __mmask16 changed =
        _mm512_cmpneq_epu32_mask(_mm512_loadu_si512(values + i), _mm512_loadu_si512(values + i - 1));
    const __m512i here = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(i)));
    // Compressed in the register: a compressing store to memory is slow on some CPUs.
    _mm512_storeu_si512(places + found, _mm512_maskz_compress_epi32(changed, here));
    found += static_cast<unsigned>(__builtin_popcount(changed));
  }
  for (; i < count; ++i)
    if (values[i] != values[i - 1]) places[found++] = static_cast<u32>(i);
  return found;
}

}  // namespace

const FeatureKernels& feature_kernels_avx512() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop, selection_loop, minima_loop, changes};
  return kernels;
}

}  // namespace leitong
