#include <immintrin.h>

#include "index/hamming/kernel_loops_bmi2.hpp"

namespace leitong::hamming {
namespace {

struct Avx512 {
  template <unsigned W>
  using Extractor = Bmi2Extractor<W>;

  static void store_line(u64* to, const u64* from) noexcept {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
  }
  static void store_fence() noexcept { _mm_sfence(); }

  template <unsigned W>
  static __m512i spread(const u64* value) noexcept {
    if constexpr (W == 1) {
      return _mm512_set1_epi64(static_cast<long long>(*value));
    } else {
      return _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(value)));
    }
  }

  /// Distances in 64-bit lanes; with two words a value, both lanes of it hold the sum.
  template <unsigned W>
  static __m512i distances(__m512i values, __m512i value) noexcept {
    const __m512i ones = _mm512_popcnt_epi64(_mm512_xor_si512(values, value));
    if constexpr (W == 1) {
      return ones;
    } else {
      return _mm512_add_epi64(ones, _mm512_shuffle_epi32(ones, static_cast<_MM_PERM_ENUM>(0x4E)));
    }
  }

  /// One bit for each value: the lanes are those of its low word.
  template <unsigned W>
  static constexpr __mmask8 value_lanes(u32 count) noexcept {
    constexpr u32 kAll = W == 1 ? 0xff : 0x55;
    return static_cast<__mmask8>(W * count >= 8 ? kAll : kAll & ((1u << (W * count)) - 1));
  }

  /// The lanes of all values behind value `i`.
  template <unsigned W>
  static constexpr __mmask8 behind(u32 i) noexcept {
    return static_cast<__mmask8>(0xfeu << (W * i + W - 1));
  }

  template <unsigned W>
  static __m512i load(const u64* values, u32 count) noexcept {
    if (W * count >= 8) return _mm512_loadu_si512(values);
    return _mm512_maskz_loadu_epi64(static_cast<__mmask8>((1u << (W * count)) - 1), values);
  }

  template <unsigned W>
  static std::size_t scan(const u64* values, std::size_t count, const u64* query, unsigned distance,
                          u32* hits) noexcept {
    constexpr u32 kStep = 8 / W;
    const __m512i wanted = spread<W>(query);
    const __m512i bound = _mm512_set1_epi64(distance);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += kStep) {
      const u32 here = count - i < kStep ? static_cast<u32>(count - i) : kStep;
      u32 near = _mm512_mask_cmple_epu64_mask(value_lanes<W>(here),
                                              distances<W>(load<W>(values + W * i, here), wanted), bound);
      for (; near != 0; near &= near - 1)
        hits[found++] = static_cast<u32>(i) + static_cast<u32>(__builtin_ctz(near)) / W;
    }
    return found;
  }

  /// A register of columns against all rows in front of it: the columns stay, the rows are broadcast.
  template <unsigned W>
  static std::size_t pairs(const u64* values, u32 begin, u32 end, unsigned distance, PairHit* hits) noexcept {
    constexpr u32 kStep = 8 / W;
    const __m512i bound = _mm512_set1_epi64(distance);
    std::size_t found = 0;
    for (u32 column = begin; column < end; column += kStep) {
      const u32 here = end - column < kStep ? end - column : kStep;
      const __m512i columns = load<W>(values + W * std::size_t{column}, here);
      const __mmask8 lanes = value_lanes<W>(here);
      const auto keep = [&](u32 row, u32 among) {
        u32 near = _mm512_mask_cmple_epu64_mask(
            static_cast<__mmask8>(among), distances<W>(columns, spread<W>(values + W * std::size_t{row})),
            bound);
        for (; near != 0; near &= near - 1)
          hits[found++] = {row, column + static_cast<u32>(__builtin_ctz(near)) / W};
      };
      // The least distance of a whole square decides whether anybody looks closer. Distances fit a byte, and
      // vectors find the least of bytes quicker than of words.
      const __m512i most = _mm512_set1_epi64(kBits<Fingerprint128>);
      const auto is_near = [&](__m512i least) {
        return _mm512_mask_cmple_epu64_mask(lanes, least, bound) != 0;
      };
      for (u32 row = begin; row < column; row += kStep) {
        __m512i least = most;
        for (u32 i = 0; i < kStep; ++i)
          least = _mm512_min_epu8(least, distances<W>(columns, spread<W>(values + W * std::size_t{row + i})));
        if (!is_near(least)) continue;
        for (u32 i = 0; i < kStep; ++i) keep(row + i, lanes);
      }
      // On the diagonal each row meets the columns behind it. Always as many rows, some of them in vain: the
      // number would be guessed wrong in every other bucket.
      __m512i least = most;
      for (u32 i = 0; i + 1 < kStep; ++i)
        least = _mm512_mask_min_epu64(
            least, behind<W>(i), least,
            distances<W>(columns, spread<W>(values + W * std::size_t{column + (i < here ? i : 0)})));
      if (!is_near(least)) continue;
      for (u32 i = 0; i + 1 < here; ++i) keep(column + i, lanes & behind<W>(i));
    }
    return found;
  }
};

}  // namespace

constexpr Kernels kAvx512Kernels[2] = {Loops<Avx512, 1>::table(), Loops<Avx512, 2>::table()};

}  // namespace leitong::hamming
