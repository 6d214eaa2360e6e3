#include <immintrin.h>

#include "signature/simhash_levels_kernel.hpp"

namespace leitong {
namespace {

struct Wide {
  __m512i low, high;  // sums of 16 bits for bits 0..31 and 32..63
  std::uint32_t all;  // sum of all weights
};

// A hash is the mask by which its weight is added to 64 bytes. The bytes are widened before they overflow.
[[gnu::always_inline]] inline Wide add_up(const std::uint64_t* hashes, const std::uint8_t* weights,
                                          std::size_t count, std::size_t run) noexcept {
  Wide wide{_mm512_setzero_si512(), _mm512_setzero_si512(), 0};
  for (std::size_t i = 0; i < count;) {
    const std::size_t end = count - i < run ? count : i + run;
    __m512i sums = _mm512_setzero_si512();
    for (; i < end; ++i) {
      wide.all += weights[i];
      sums = _mm512_mask_add_epi8(sums, _cvtu64_mask64(hashes[i]), sums,
                                  _mm512_set1_epi8(static_cast<char>(weights[i])));
    }
    wide.low = _mm512_add_epi16(wide.low, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(sums)));
    wide.high = _mm512_add_epi16(wide.high, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(sums, 1)));
  }
  return wide;
}

void spill(const Wide& sums, std::uint32_t* ones) noexcept {
  const auto add = [ones](__m256i half, unsigned at) {
    __m512i* place = reinterpret_cast<__m512i*>(ones + at);
    _mm512_storeu_si512(place, _mm512_add_epi32(_mm512_loadu_si512(place), _mm512_cvtepu16_epi32(half)));
  };
  add(_mm512_castsi512_si256(sums.low), 0);
  add(_mm512_extracti64x4_epi64(sums.low, 1), 16);
  add(_mm512_castsi512_si256(sums.high), 32);
  add(_mm512_extracti64x4_epi64(sums.high, 1), 48);
}

}  // namespace

void levels_avx512(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                   std::size_t run, std::uint32_t* ones) noexcept {
  spill(add_up(hashes, weights, count, run), ones);
}

LevelSigns few_levels_avx512(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                             unsigned width) noexcept {
  const std::size_t run = UINT8_MAX >> width;  // no more than 255 in a byte
  const Wide wide = add_up(hashes, weights, count, run);
  const __m512i half = _mm512_set1_epi16(static_cast<short>(wide.all / 2));
  const auto both = [](__mmask32 low, __mmask32 high) { return std::uint64_t{high} << 32 | low; };
  const std::uint64_t positive =
      both(_mm512_cmpgt_epi16_mask(wide.low, half), _mm512_cmpgt_epi16_mask(wide.high, half));
  const std::uint64_t half_each =
      both(_mm512_cmpeq_epi16_mask(wide.low, half), _mm512_cmpeq_epi16_mask(wide.high, half));
  return {{positive, wide.all % 2 == 0 ? half_each : 0}, wide.all};
}

}  // namespace leitong
