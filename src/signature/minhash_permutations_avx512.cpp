#include <immintrin.h>

#include "signature/minhash_permutations_kernel.hpp"

namespace leitong {
namespace {

/// The number of vectors of 16 values that are updated together for each element.
template <unsigned kVectors>
void block(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
           const std::uint32_t* terms, std::uint32_t* minima) noexcept {
  __m512i factor[kVectors], term[kVectors], least[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    factor[v] = _mm512_loadu_si512(factors + 16 * v);
    term[v] = _mm512_loadu_si512(terms + 16 * v);
    least[v] = _mm512_set1_epi32(-1);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const __m512i hash = _mm512_set1_epi32(static_cast<int>(mixed(elements[i])));
    for (std::size_t v = 0; v < kVectors; ++v)
      least[v] = _mm512_min_epu32(least[v], _mm512_add_epi32(_mm512_mullo_epi32(hash, factor[v]), term[v]));
  }
  for (std::size_t v = 0; v < kVectors; ++v) _mm512_storeu_si512(minima + 16 * v, least[v]);
}

}  // namespace

void minhash_avx512(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                    const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept {
  std::size_t k = 0;
  for (; k + 128 <= count; k += 128) block<8>(elements, size, factors + k, terms + k, minima + k);
  for (; k + 16 <= count; k += 16) block<1>(elements, size, factors + k, terms + k, minima + k);
}

}  // namespace leitong
