#include <immintrin.h>

#include "index/hamming/join/kernel_loops_bmi2.hpp"

namespace leitong::hamming {
namespace {

struct Avx2 {
  template <unsigned W>
  using Extractor = Bmi2Extractor<W>;

  static void store_line(u64* to, const u64* from) noexcept {
    const auto* source = reinterpret_cast<const __m256i*>(from);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), _mm256_load_si256(source));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + 1, _mm256_load_si256(source + 1));
  }
  static void store_fence() noexcept { _mm_sfence(); }

  template <unsigned W>
  static __m256i spread(const u64* value) noexcept {
    if constexpr (W == 1) {
      return _mm256_set1_epi64x(static_cast<long long>(*value));
    } else {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(value)));
    }
  }

  /// Distances in 64-bit lanes, by a table of nibbles; with two words for each value, both of its lanes hold
  /// the sum.
  template <unsigned W>
  static __m256i distances(__m256i values, __m256i value) noexcept {
    const __m256i ones_of = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                             0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(0x0f);
    const __m256i x = _mm256_xor_si256(values, value);
    const __m256i low = _mm256_shuffle_epi8(ones_of, _mm256_and_si256(x, nibble));
    const __m256i high = _mm256_shuffle_epi8(ones_of, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
    const __m256i ones = _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
    if constexpr (W == 1) {
      return ones;
    } else {
      return _mm256_add_epi64(ones, _mm256_shuffle_epi32(ones, 0x4E));
    }
  }

  /// One bit for each of the first `count` values, from the lanes of its low word.
  template <unsigned W>
  static constexpr u32 value_lanes(u32 count) noexcept {
    constexpr u32 kAll = W == 1 ? 0xf : 0x5;
    return W * count >= 4 ? kAll : kAll & ((1u << (W * count)) - 1);
  }

  template <unsigned W>
  static __m256i load(const u64* values, u32 count) noexcept {
    if (W * count >= 4) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    const __m256i wanted = _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(W) * count), lane);
    return _mm256_maskload_epi64(reinterpret_cast<const long long*>(values), wanted);
  }

  static u32 below(__m256i distances, __m256i bound) noexcept {
    return static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(bound, distances))));
  }

  template <unsigned W>
  static std::size_t scan(const u64* values, std::size_t count, const u64* query, unsigned distance,
                          u32* hits) noexcept {
    constexpr u32 kStep = 4 / W;
    const __m256i wanted = spread<W>(query);
    const __m256i bound = _mm256_set1_epi64x(static_cast<long long>(distance) + 1);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += kStep) {
      const u32 here = count - i < kStep ? static_cast<u32>(count - i) : kStep;
      u32 near = below(distances<W>(load<W>(values + W * i, here), wanted), bound) & value_lanes<W>(here);
      for (; near != 0; near &= near - 1)
        hits[found++] = static_cast<u32>(i) + static_cast<u32>(__builtin_ctz(near)) / W;
    }
    return found;
  }

  /// Compares a register of columns with all rows before it: the columns stay, the rows are broadcast.
  template <unsigned W>
  static std::size_t pairs(const u64* values, u32 begin, u32 end, unsigned distance, PairHit* hits) noexcept {
    constexpr u32 kStep = 4 / W;
    const __m256i bound = _mm256_set1_epi64x(static_cast<long long>(distance) + 1);
    std::size_t found = 0;
    for (u32 column = begin; column < end; column += kStep) {
      const u32 here = end - column < kStep ? end - column : kStep;
      const __m256i columns = load<W>(values + W * std::size_t{column}, here);
      const u32 lanes = value_lanes<W>(here);
      const auto keep = [&](u32 row, u32 among) {
        u32 near = below(distances<W>(columns, spread<W>(values + W * std::size_t{row})), bound) & among;
        for (; near != 0; near &= near - 1)
          hits[found++] = {row, column + static_cast<u32>(__builtin_ctz(near)) / W};
      };
      for (u32 row = begin; row < column; row += kStep) {
        // The hits of a square are computed only if its least distance is small enough. Sums fit in a byte,
        // and AVX2 has no minimum of longer numbers.
        __m256i least = _mm256_set1_epi64x(0xff);
        for (u32 i = 0; i < kStep; ++i)
          least = _mm256_min_epu8(least, distances<W>(columns, spread<W>(values + W * std::size_t{row + i})));
        if ((below(least, bound) & lanes) == 0) continue;
        for (u32 i = 0; i < kStep; ++i) keep(row + i, lanes);
      }
      for (u32 i = 0; i + 1 < here; ++i) keep(column + i, lanes & (0xeu << (W * i + W - 1)));
    }
    return found;
  }
};

}  // namespace

constexpr Kernels kAvx2Kernels[2] = {Loops<Avx2, 1>::table(), Loops<Avx2, 2>::table()};

}  // namespace leitong::hamming
