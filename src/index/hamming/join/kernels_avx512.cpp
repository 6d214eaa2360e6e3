#include <immintrin.h>

#include "index/hamming/join/kernel_loops_bmi2.hpp"

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

  /// Distances in 64-bit lanes; with two words for each value, both of its lanes hold the sum.
  template <unsigned W>
  static __m512i distances(__m512i values, __m512i value) noexcept {
    const __m512i ones = _mm512_popcnt_epi64(_mm512_xor_si512(values, value));
    if constexpr (W == 1) {
      return ones;
    } else {
      return _mm512_add_epi64(ones, _mm512_shuffle_epi32(ones, static_cast<_MM_PERM_ENUM>(0x4E)));
    }
  }

  /// One bit for each value, from the lanes of its low word.
  template <unsigned W>
  static constexpr __mmask8 value_lanes(u32 count) noexcept {
    constexpr u32 kAll = W == 1 ? 0xff : 0x55;
    return static_cast<__mmask8>(W * count >= 8 ? kAll : kAll & ((1u << (W * count)) - 1));
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

  /// The lanes of diagonal() that stand for pairs, by the number of values: every pair once.
  template <unsigned W>
  struct DiagonalLanes {
    u32 of[8 / W + 1] = {};

    constexpr DiagonalLanes() {
      constexpr u32 kStep = 8 / W;
      for (u32 count = 0; count <= kStep; ++count)
        for (u32 turn = 1; turn <= kStep / 2; ++turn)
          for (u32 i = 0; i < count; ++i)
            if ((i + turn) % kStep < count && (turn < kStep / 2 || i < kStep / 2))
              of[count] |= 1u << (8 * (turn - 1) + W * i);
    }
  };

  /// Byte `turn - 1`: is value i near value i + turn, modulo the register?
  template <unsigned W>
  static u32 diagonal(__m512i values, __m512i bound) noexcept {
    const auto near = [&](__m512i turned) -> u32 {
      return _mm512_cmple_epu64_mask(distances<W>(values, turned), bound);
    };
    const u32 first = near(_mm512_alignr_epi64(values, values, W));
    const u32 second = near(_mm512_alignr_epi64(values, values, 2 * W));
    if constexpr (W == 2) return first | second << 8;
    const u32 third = near(_mm512_alignr_epi64(values, values, 3 * W % 8));
    const u32 fourth = near(_mm512_alignr_epi64(values, values, 4 * W % 8));
    return first | second << 8 | third << 16 | fourth << 24;
  }

  /// Compares a register of columns with all rows before it: the columns stay, the rows are broadcast.
  template <unsigned W>
  static std::size_t pairs(const u64* values, u32 begin, u32 end, unsigned distance, PairHit* hits) noexcept {
    constexpr u32 kStep = 8 / W;
    static constexpr DiagonalLanes<W> kDiagonal;
    const __m512i bound = _mm512_set1_epi64(distance);
    std::size_t found = 0;
    for (u32 column = begin; column < end; column += kStep) {
      const u32 here = end - column < kStep ? end - column : kStep;
      const __m512i columns = load<W>(values + W * std::size_t{column}, here);
      const __mmask8 lanes = value_lanes<W>(here);
      for (u32 row = begin; row < column; row += kStep) {
        const auto distances_of = [&](u32 i) {
          return distances<W>(columns, spread<W>(values + W * std::size_t{row + i}));
        };
        // The hits of a square are computed only if its least distance is small enough. Distances fit in a
        // byte, and the minimum of bytes is faster than that of words.
        __m512i least = distances_of(0);
        for (u32 i = 1; i < kStep; ++i) least = _mm512_min_epu8(least, distances_of(i));
        if (_mm512_mask_cmple_epu64_mask(lanes, least, bound) == 0) continue;
        u64 near = 0;
        for (u32 i = 0; i < kStep; ++i)
          near |= u64{_mm512_mask_cmple_epu64_mask(lanes, distances_of(i), bound)} << 8 * i;
        for (; near != 0; near &= near - 1) {
          const auto lane = static_cast<u32>(__builtin_ctzll(near));
          hits[found++] = {row + lane / 8, column + lane % 8 / W};
        }
      }
      for (u32 near = diagonal<W>(columns, bound) & kDiagonal.of[here]; near != 0; near &= near - 1) {
        const auto lane = static_cast<u32>(__builtin_ctz(near));
        const u32 x = lane % 8 / W, y = (x + lane / 8 + 1) % kStep;
        hits[found++] = {column + (x < y ? x : y), column + (x < y ? y : x)};
      }
    }
    return found;
  }
};

}  // namespace

constexpr Kernels kAvx512Kernels[2] = {Loops<Avx512, 1>::table(), Loops<Avx512, 2>::table()};

}  // namespace leitong::hamming
