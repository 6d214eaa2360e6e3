#include <immintrin.h>

#include "signature/simhash_levels_kernel.hpp"

namespace leitong {
namespace {

/// Adds 32 bytes to sums of 32 bits.
void widen(__m256i bytes, std::uint32_t* ones) noexcept {
  alignas(32) std::uint8_t values[32];
  _mm256_store_si256(reinterpret_cast<__m256i*>(values), bytes);
  for (unsigned i = 0; i < 32; ++i) ones[i] += values[i];
}

/// All bits of byte i are those of bit i of `bits`.
__m256i spread(std::uint32_t bits) noexcept {
  const __m256i each_byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i each_bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  const __m256i repeated = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), each_byte);
  return _mm256_cmpeq_epi8(_mm256_and_si256(repeated, each_bit), each_bit);
}

/// Sums of one byte each, for bits 0..31 and 32..63.
struct Narrow {
  __m256i low, high;
};

[[gnu::always_inline]] inline Narrow add_run(const std::uint64_t* hashes, const std::uint8_t* weights,
                                             std::size_t count) noexcept {
  Narrow sums{_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (std::size_t i = 0; i < count; ++i) {
    const __m256i weight = _mm256_set1_epi8(static_cast<char>(weights[i]));
    const auto low = static_cast<std::uint32_t>(hashes[i]),
               high = static_cast<std::uint32_t>(hashes[i] >> 32);
    sums.low = _mm256_add_epi8(sums.low, _mm256_and_si256(spread(low), weight));
    sums.high = _mm256_add_epi8(sums.high, _mm256_and_si256(spread(high), weight));
  }
  return sums;
}

}  // namespace

void levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count, std::size_t run,
                 std::uint32_t* ones) noexcept {
  for (std::size_t i = 0, length; i < count; i += length) {
    length = count - i < run ? count - i : run;
    const Narrow sums = add_run(hashes + i, weights + i, length);
    widen(sums.low, ones);
    widen(sums.high, ones + 32);
  }
}

LevelSigns few_levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count,
                           unsigned width) noexcept {
  const std::size_t run = UINT8_MAX >> width;  // no more than 255 in a byte
  __m256i wide[4] = {};                        // sums of 16 bits each
  std::uint32_t all = 0;
  for (std::size_t i = 0, length; i < count; i += length) {
    length = count - i < run ? count - i : run;
    for (std::size_t j = i; j < i + length; ++j) all += weights[j];
    const Narrow sums = add_run(hashes + i, weights + i, length);
    wide[0] = _mm256_add_epi16(wide[0], _mm256_cvtepu8_epi16(_mm256_castsi256_si128(sums.low)));
    wide[1] = _mm256_add_epi16(wide[1], _mm256_cvtepu8_epi16(_mm256_extracti128_si256(sums.low, 1)));
    wide[2] = _mm256_add_epi16(wide[2], _mm256_cvtepu8_epi16(_mm256_castsi256_si128(sums.high)));
    wide[3] = _mm256_add_epi16(wide[3], _mm256_cvtepu8_epi16(_mm256_extracti128_si256(sums.high, 1)));
  }
  const __m256i half = _mm256_set1_epi16(static_cast<short>(all / 2));
  // Turns two vectors of 16 results of 16 bits into 32 bits.
  const auto bits = [](__m256i a, __m256i b) {
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
  };
  const auto of_all = [&](auto answer) {
    return std::uint64_t{bits(answer(wide[2]), answer(wide[3]))} << 32 |
           bits(answer(wide[0]), answer(wide[1]));
  };
  const std::uint64_t positive = of_all([&](__m256i sums) { return _mm256_cmpgt_epi16(sums, half); });
  const std::uint64_t half_each = of_all([&](__m256i sums) { return _mm256_cmpeq_epi16(sums, half); });
  return {{positive, all % 2 == 0 ? half_each : 0}, all};
}

}  // namespace leitong
