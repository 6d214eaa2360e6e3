#include <immintrin.h>

#include "similarity/intersect_kernel.hpp"

namespace leitong {

// Blocks of 8 as with AVX2 (16 have four times the pairs for twice the elements), compared into masks.
std::size_t intersect_avx512(const std::uint32_t* a, std::size_t na, const std::uint32_t* b,
                             std::size_t nb) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t shared = 0;
  while (i + 8 <= na && j + 8 <= nb) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + j));
    const __m512i xx = _mm512_broadcast_i64x4(x);
    // Both orders of the halves of y side by side: four rotations within 128 bits meet all pairs.
    const __m512i yy = _mm512_shuffle_i64x2(_mm512_castsi256_si512(y), _mm512_castsi256_si512(y), 0x14);
    const __mmask16 equal =
        static_cast<__mmask16>(_mm512_cmpeq_epi32_mask(xx, yy) |
                               _mm512_cmpeq_epi32_mask(xx, _mm512_shuffle_epi32(yy, _MM_PERM_ENUM(0x39))) |
                               _mm512_cmpeq_epi32_mask(xx, _mm512_shuffle_epi32(yy, _MM_PERM_ENUM(0x4E))) |
                               _mm512_cmpeq_epi32_mask(xx, _mm512_shuffle_epi32(yy, _MM_PERM_ENUM(0x93))));
    shared += static_cast<unsigned>(__builtin_popcount(equal));
    const std::uint32_t last_a = a[i + 7];
    const std::uint32_t last_b = b[j + 7];
    i += last_a <= last_b ? 8 : 0;
    j += last_b <= last_a ? 8 : 0;
  }
  return shared + intersect_scalar(a + i, na - i, b + j, nb - j);
}

}  // namespace leitong
