#include <immintrin.h>

#include "similarity/intersect_kernel.hpp"

namespace leitong {

// Compares all pairs of two blocks of 8 by rotation, then advances past the block with the smaller last
// element.
std::size_t intersect_avx2(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                           std::size_t nb) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t shared = 0;
  while (i + 8 <= na && j + 8 <= nb) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + j));
    const __m256i z = _mm256_permute2x128_si256(y, y, 1);
    const auto four = [x](__m256i v) {
      const __m256i e0 = _mm256_cmpeq_epi32(x, v);
      const __m256i e1 = _mm256_cmpeq_epi32(x, _mm256_shuffle_epi32(v, 0x39));
      const __m256i e2 = _mm256_cmpeq_epi32(x, _mm256_shuffle_epi32(v, 0x4E));
      const __m256i e3 = _mm256_cmpeq_epi32(x, _mm256_shuffle_epi32(v, 0x93));
      return _mm256_or_si256(_mm256_or_si256(e0, e1), _mm256_or_si256(e2, e3));
    };
    const __m256i equal = _mm256_or_si256(four(y), four(z));
    shared += static_cast<unsigned>(
        __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)))));
    const std::uint32_t last_a = a[i + 7];
    const std::uint32_t last_b = b[j + 7];
    i += last_a <= last_b ? 8 : 0;
    j += last_b <= last_a ? 8 : 0;
  }
  return shared + intersect_scalar(a + i, na - i, b + j, nb - j);
}

}  // namespace leitong
