#include <immintrin.h>

#include "feature/kernels_loops.hpp"

namespace leitong {
namespace {

using Lanes [[gnu::vector_size(32)]] = u64;

__m256i load(const u32* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
void store(u32* p, __m256i x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x); }

/// Bit i: lane i is equal.
unsigned equal_lanes(__m256i a, __m256i b) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b))));
}

/// The place of the rightmost `value` before `end`. REQUIRES that there is one.
std::size_t rightmost(const u32* values, std::size_t end, u32 value) {
  const __m256i wanted = _mm256_set1_epi32(static_cast<int>(value));
  const u32* p = values + end - 8;
  unsigned equal = 0;
  while ((equal = equal_lanes(load(p), wanted)) == 0) p -= 8;
  return static_cast<std::size_t>(p - values) + 31 - static_cast<std::size_t>(__builtin_clz(equal));
}

std::size_t choices(const u32* values, const u32* minima, std::size_t count, std::size_t window, bool first,
                    u32* places) {
  std::size_t found = 0;
  const auto choose = [&](std::size_t i) {
    places[found++] = static_cast<u32>(rightmost(values, i + window, minima[i]));
  };
  if (first) choose(0);
  std::size_t i = 1;
  for (; i + 8 <= count; i += 8)
    for (unsigned bits = ~equal_lanes(load(minima + i), load(minima + i - 1)) & 255; bits != 0;
         bits &= bits - 1)
      choose(i + static_cast<std::size_t>(__builtin_ctz(bits)));
  for (; i < count; ++i)
    if (minima[i] != minima[i - 1]) choose(i);
  return found;
}

// One step of a sorting network: compares `x` with itself after exchanging lanes; the lanes in kMax keep the
// larger value.
template <int kMax>
__m256i exchange(__m256i x, __m256i exchanged) {
  return _mm256_blend_epi32(_mm256_min_epu32(x, exchanged), _mm256_max_epu32(x, exchanged), kMax);
}
__m256i halves(__m256i x) { return _mm256_permute2x128_si256(x, x, 1); }
__m256i reversed(__m256i x) { return _mm256_shuffle_epi32(halves(x), 0x1B); }

/// Sorts a bitonic sequence.
__m256i merge8(__m256i x) {
  x = exchange<0xF0>(x, halves(x));
  x = exchange<0xCC>(x, _mm256_shuffle_epi32(x, 0x4E));
  return exchange<0xAA>(x, _mm256_shuffle_epi32(x, 0xB1));
}

__m256i sort8(__m256i x) {
  x = exchange<0xAA>(x, _mm256_shuffle_epi32(x, 0xB1));
  x = exchange<0xCC>(x, _mm256_shuffle_epi32(x, 0x1B));
  x = exchange<0xAA>(x, _mm256_shuffle_epi32(x, 0xB1));
  x = exchange<0xF0>(x, reversed(x));
  x = exchange<0xCC>(x, _mm256_shuffle_epi32(x, 0x4E));
  return exchange<0xAA>(x, _mm256_shuffle_epi32(x, 0xB1));
}

std::size_t sort_buckets(const u32* slots, const std::uint8_t* counts, std::size_t from, std::size_t buckets,
                         u32*& out) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (std::size_t b = from; b < buckets; ++b) {
    const unsigned count = counts[b];
    if (count > kBucketSlots) return b;
    const u32* const bucket = slots + b * kBucketSlots;
    const __m256i size = _mm256_set1_epi32(static_cast<int>(count));
    // Empty slots become the largest value, so they come after all others.
    const __m256i none_a = _mm256_cmpgt_epi32(_mm256_add_epi32(lanes, _mm256_set1_epi32(1)), size);
    const __m256i none_b = _mm256_cmpgt_epi32(_mm256_add_epi32(lanes, _mm256_set1_epi32(9)), size);
    const __m256i a = sort8(_mm256_or_si256(load(bucket), none_a));
    const __m256i b_down = reversed(sort8(_mm256_or_si256(load(bucket + 8), none_b)));
    const __m256i low = merge8(_mm256_min_epu32(a, b_down));
    const __m256i high = merge8(_mm256_max_epu32(a, b_down));
    store(out, low);
    store(out + 8, high);
    // Bit i: element i + 1 repeats element i.
    const unsigned repeats = equal_lanes(low, load(out + 1)) | equal_lanes(high, load(out + 7)) << 7;
    if (count == 0 || (repeats & ((1u << (count - 1)) - 1)) == 0) {
      out += count;
      continue;
    }
    u32* last = out;
    for (unsigned i = 1; i < count; ++i)
      if (out[i] != *last) *++last = out[i];
    out = last + 1;
  }
  return buckets;
}

}  // namespace

const FeatureKernels& feature_kernels_avx2() noexcept {
  static constexpr FeatureKernels kernels{shingle_loop,   selection_loop,     minima_loop, choices,
                                          ngrams_rolling, keyed_lanes<Lanes>, sort_buckets};
  return kernels;
}

}  // namespace leitong
