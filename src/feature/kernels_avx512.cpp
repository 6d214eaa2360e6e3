#include <immintrin.h>

#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

using Lanes [[gnu::vector_size(64)]] = u64;

/// The place of the rightmost `value` before `end`. REQUIRES that there is one.
std::size_t rightmost(const u32* values, std::size_t end, u32 value) {
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(value));
  const u32* p = values + end - 16;
  __mmask16 equal = 0;
  while ((equal = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(p), wanted)) == 0) p -= 16;
  return static_cast<std::size_t>(p - values) + 31 - static_cast<std::size_t>(__builtin_clz(equal));
}

std::size_t choices(const u32* values, const u32* minima, std::size_t count, std::size_t window, bool first,
                    u32* places) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::size_t found = first ? 1 : 0;
  places[0] = 0;
  std::size_t i = 1;
  for (; i + 16 <= count; i += 16) {
    const __m512i here = _mm512_loadu_si512(minima + i);
    const __mmask16 changed = _mm512_cmpneq_epu32_mask(here, _mm512_loadu_si512(minima + i - 1));
    // The vector is compressed in the register, because a compressing store to memory is slow on some CPUs.
    const __m512i windows = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(i)));
    _mm512_storeu_si512(places + found, _mm512_maskz_compress_epi32(changed, windows));
    found += static_cast<unsigned>(__builtin_popcount(changed));
  }
  for (; i < count; ++i)
    if (minima[i] != minima[i - 1]) places[found++] = static_cast<u32>(i);
  for (std::size_t j = 0; j < found; ++j)
    places[j] = static_cast<u32>(rightmost(values, places[j] + window, minima[places[j]]));
  return found;
}

// One step of a sorting network: compares `x` with itself after exchanging lanes; the lanes in kMax keep the
// larger value.
template <unsigned kMax>
__m512i exchange(__m512i x, __m512i exchanged) {
  return _mm512_mask_max_epu32(_mm512_min_epu32(x, exchanged), static_cast<__mmask16>(kMax), x, exchanged);
}
template <int kOrder>
__m512i within4(__m512i x) {
  return _mm512_shuffle_epi32(x, static_cast<_MM_PERM_ENUM>(kOrder));
}

__m512i sort16(__m512i x) {
  constexpr int kNeighbours = 0xB1;
  constexpr int kPairs = 0x4E;
  constexpr int kReversed = 0x1B;
  x = exchange<0xAAAA>(x, within4<kNeighbours>(x));
  x = exchange<0xCCCC>(x, within4<kReversed>(x));
  x = exchange<0xAAAA>(x, within4<kNeighbours>(x));
  x = exchange<0xF0F0>(x, _mm512_shuffle_i64x2(within4<kReversed>(x), within4<kReversed>(x), 0xB1));
  x = exchange<0xCCCC>(x, within4<kPairs>(x));
  x = exchange<0xAAAA>(x, within4<kNeighbours>(x));
  x = exchange<0xFF00>(x, _mm512_shuffle_i64x2(within4<kReversed>(x), within4<kReversed>(x), 0x1B));
  x = exchange<0xF0F0>(x, _mm512_shuffle_i64x2(x, x, 0xB1));
  x = exchange<0xCCCC>(x, within4<kPairs>(x));
  return exchange<0xAAAA>(x, within4<kNeighbours>(x));
}

std::size_t sort_buckets(const u32* slots, const std::uint8_t* counts, std::size_t from, std::size_t buckets,
                         u32*& out) {
  const __m512i before = _mm512_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  for (std::size_t b = from; b < buckets; ++b) {
    const unsigned count = counts[b];
    if (count > kBucketSlots) return b;
    const unsigned present = (1u << count) - 1;
    // Empty slots become the largest value, so they come after all others.
    const __m512i x = sort16(_mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), static_cast<__mmask16>(present),
                                                     slots + b * kBucketSlots));
    const unsigned differs = _mm512_cmpneq_epu32_mask(x, _mm512_permutexvar_epi32(before, x));
    const unsigned kept = (differs | 1) & present;
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(kept), x));
    out += __builtin_popcount(kept);
  }
  return buckets;
}

}  // namespace

const FeatureKernels& feature_kernels_avx512() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop,    selection_loop,     minima_loop, choices,
                                          ngrams_doubling, keyed_lanes<Lanes>, sort_buckets};
  return kernels;
}

}  // namespace leitong
