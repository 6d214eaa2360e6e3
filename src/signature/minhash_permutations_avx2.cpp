#include <immintrin.h>

#include "signature/minhash_permutations_kernel.hpp"

namespace leitong {
namespace {

/// The number of vectors of 8 values that are updated together for each element: as many as allow the minima
/// to stay in registers; the factors and terms come from the cache.
template <unsigned kVectors>
void block(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
           const std::uint32_t* terms, std::uint32_t* minima) noexcept {
  const auto load = [](const std::uint32_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  };
  __m256i least[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) least[v] = _mm256_set1_epi32(-1);
  for (std::size_t i = 0; i < size; ++i) {
    const __m256i hash = _mm256_set1_epi32(static_cast<int>(mixed(elements[i])));
    for (std::size_t v = 0; v < kVectors; ++v)
      least[v] = _mm256_min_epu32(
          least[v], _mm256_add_epi32(_mm256_mullo_epi32(hash, load(factors + 8 * v)), load(terms + 8 * v)));
  }
  for (std::size_t v = 0; v < kVectors; ++v)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(minima + 8 * v), least[v]);
}

}  // namespace

void minhash_avx2(const std::uint32_t* elements, std::size_t size, const std::uint32_t* factors,
                  const std::uint32_t* terms, std::size_t count, std::uint32_t* minima) noexcept {
  std::size_t k = 0;
  for (; k + 64 <= count; k += 64) block<8>(elements, size, factors + k, terms + k, minima + k);
  for (; k + 16 <= count; k += 16) block<2>(elements, size, factors + k, terms + k, minima + k);
}

}  // namespace leitong
