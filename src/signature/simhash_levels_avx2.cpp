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

}  // namespace

void levels_avx2(const std::uint64_t* hashes, const std::uint8_t* weights, std::size_t count, std::size_t run,
                 std::uint32_t* ones) noexcept {
  for (std::size_t i = 0; i < count;) {
    const std::size_t end = count - i < run ? count : i + run;
    __m256i low = _mm256_setzero_si256(), high = _mm256_setzero_si256();
    for (; i < end; ++i) {
      const __m256i weight = _mm256_set1_epi8(static_cast<char>(weights[i]));
      low = _mm256_add_epi8(low, _mm256_and_si256(spread(static_cast<std::uint32_t>(hashes[i])), weight));
      high = _mm256_add_epi8(high,
                             _mm256_and_si256(spread(static_cast<std::uint32_t>(hashes[i] >> 32)), weight));
    }
    widen(low, ones);
    widen(high, ones + 32);
  }
}

}  // namespace leitong
