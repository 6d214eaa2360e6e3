#include <immintrin.h>

#include "signature/simhash_kernel.hpp"

namespace leitong {
namespace {

[[gnu::always_inline]] inline SumSigns signs_of(const __m512d (&sums)[8]) noexcept {
  const __m512d zero = _mm512_setzero_pd();
  SumSigns signs{0, 0};
#pragma GCC unroll 8  // otherwise the sums are kept in memory
  for (unsigned byte = 0; byte < 8; ++byte) {
    signs.positive |= std::uint64_t{_mm512_cmp_pd_mask(sums[byte], zero, _CMP_GT_OQ)} << 8 * byte;
    signs.zero |= std::uint64_t{_mm512_cmp_pd_mask(sums[byte], zero, _CMP_EQ_OQ)} << 8 * byte;
  }
  return signs;
}

}  // namespace

// Eight vectors of eight sums. A byte of the hash is the mask of the sums to which the weight is added; it is
// subtracted from the others.
SumSigns sum_signs_avx512(const Feature* features, std::size_t count) noexcept {
  const __m512d zero = _mm512_setzero_pd();
  __m512d sums[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
  for (std::size_t i = 0; i < count; ++i) {
    const __m512d plus = _mm512_set1_pd(double{features[i].weight});
    const __m512d minus = _mm512_set1_pd(-double{features[i].weight});
    for (unsigned byte = 0; byte < 8; ++byte) {
      const auto ones = static_cast<__mmask8>(features[i].hash >> 8 * byte);
      sums[byte] = _mm512_add_pd(sums[byte], _mm512_mask_blend_pd(ones, minus, plus));
    }
  }
  return signs_of(sums);
}

// As sum_signs_avx512(), with one of two weights for each bit.
SumSigns blend_signs_avx512(const BlendedFeature* features, std::size_t count) noexcept {
  const __m512d zero = _mm512_setzero_pd();
  __m512d sums[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
  for (std::size_t i = 0; i < count; ++i) {
    const __m512d agreed = _mm512_set1_pd(features[i].agreed), opposed = _mm512_set1_pd(features[i].opposed);
    for (unsigned byte = 0; byte < 8; ++byte) {
      const auto ones = static_cast<__mmask8>(features[i].hash >> 8 * byte);
      const auto differs = static_cast<__mmask8>(features[i].differs >> 8 * byte);
      const __m512d weight = _mm512_mask_blend_pd(differs, agreed, opposed);
      sums[byte] =
          _mm512_add_pd(sums[byte], _mm512_mask_sub_pd(weight, static_cast<__mmask8>(~ones), zero, weight));
    }
  }
  return signs_of(sums);
}

}  // namespace leitong
