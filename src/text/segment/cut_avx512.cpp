#include <immintrin.h>

#include "text/segment/cut_chunk.hpp"

namespace leitong {
namespace {

// This is no global vector, since its initialiser would run on every machine.
__m512i iota() {
  return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
                         42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
                         21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/// The 64 mask bits of eight masks of eight, by unpacking: GCC 12.2 may read a spilled 32-bit mask as 64
/// bits.
template <class Mask8>
std::uint64_t join_masks(const Mask8& mask) {
  return _mm512_kunpackd(
      _mm512_kunpackw(_mm512_kunpackb(mask(7), mask(6)), _mm512_kunpackb(mask(5), mask(4))),
      _mm512_kunpackw(_mm512_kunpackb(mask(3), mask(2)), _mm512_kunpackb(mask(1), mask(0))));
}

class Block {
 public:
  explicit Block(const std::uint8_t* p)
      : text_(p),
        bytes_(_mm512_loadu_si512(p)),
        second_(_mm512_loadu_si512(p + 1)),
        third_(_mm512_loadu_si512(p + 2)) {}

  [[nodiscard]] std::uint64_t wide() const { return _mm512_movepi8_mask(bytes_); }
  [[nodiscard]] std::uint64_t continuation() const {
    return _mm512_cmplt_epi8_mask(bytes_, _mm512_set1_epi8(static_cast<char>(0xC0)));
  }
  [[nodiscard]] std::uint64_t equal(char c) const {
    return _mm512_cmpeq_epi8_mask(bytes_, _mm512_set1_epi8(c));
  }
  [[nodiscard]] std::uint64_t letters() const {
    const __m512i lower = _mm512_or_si512(bytes_, _mm512_set1_epi8(0x20));
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(26));
  }
  [[nodiscard]] std::uint64_t digits() const {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes_, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
  }

  [[nodiscard]] std::uint64_t triggers(const SegmentTables& tables) const {
    return _mm512_test_epi8_mask(look_up(tables.triggers, bytes_), look_up(tables.triggers + 256, second_));
  }

  void symbols(const SegmentTables& tables, std::uint64_t leads, unsigned count, Symbol* out) const {
    const __m512i places = _mm512_maskz_compress_epi8(leads, iota());
    __m512i first = _mm512_permutexvar_epi8(places, bytes_);
    __m512i second = _mm512_permutexvar_epi8(places, second_);
    __m512i third = _mm512_permutexvar_epi8(places, third_);
    for (unsigned done = 0;; done += 32) {
      const __m512i points = decode(first, second, third);
      write(tables, points, count - done, out + done);
      if (done + 32 >= count) break;
      first = _mm512_shuffle_i64x2(first, first, 0xEE);
      second = _mm512_shuffle_i64x2(second, second, 0xEE);
      third = _mm512_shuffle_i64x2(third, third, 0xEE);
    }
    if (const std::uint64_t four = leads & above_plane(); __builtin_expect(four != 0, 0))
      write_above(tables, leads, four, out);
  }

 private:
  static __m512i look_up(const std::uint8_t* table, __m512i bytes) {
    const __m512i low =
        _mm512_permutex2var_epi8(_mm512_loadu_si512(table), bytes, _mm512_loadu_si512(table + 64));
    const __m512i high =
        _mm512_permutex2var_epi8(_mm512_loadu_si512(table + 128), bytes, _mm512_loadu_si512(table + 192));
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
  }

  /// The code points of 32 characters of up to three bytes, 16 bits each.
  static __m512i decode(__m512i first, __m512i second, __m512i third) {
    const __m512i six = _mm512_set1_epi16(0x3F);
    const __m512i a = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(first));
    const __m512i b = _mm512_and_si512(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(second)), six);
    const __m512i c = _mm512_and_si512(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(third)), six);
    __m512i points = _mm512_or_si512(_mm512_or_si512(_mm512_slli_epi16(a, 12), _mm512_slli_epi16(b, 6)), c);
    const __mmask32 shorter = _mm512_cmplt_epu16_mask(a, _mm512_set1_epi16(0xE0));
    if (__builtin_expect(shorter != 0, 0)) {
      const __m512i two =
          _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(a, _mm512_set1_epi16(0x1F)), 6), b);
      points = _mm512_mask_mov_epi16(points, shorter, two);
      points = _mm512_mask_mov_epi16(points, _mm512_cmplt_epu16_mask(a, _mm512_set1_epi16(0x80)), a);
    }
    return points;
  }

  static __m256i gather(const SegmentTables& tables, __m256i points) {
    const __m512i symbols =
        _mm512_i32gather_epi32(_mm512_cvtepu16_epi32(points), tables.text_symbols, sizeof(Symbol));
    return _mm512_cvtepi32_epi16(symbols);
  }
  static void write(const SegmentTables& tables, __m512i points, unsigned count, Symbol* out) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), gather(tables, _mm512_castsi512_si256(points)));
    if (count > 16)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 16),
                          gather(tables, _mm512_extracti64x4_epi64(points, 1)));
  }

  [[nodiscard]] std::uint64_t above_plane() const {
    return _mm512_cmpge_epu8_mask(bytes_, _mm512_set1_epi8(static_cast<char>(0xF0)));
  }
  void write_above(const SegmentTables& tables, std::uint64_t leads, std::uint64_t four, Symbol* out) const {
    for (; four != 0; four &= four - 1) {
      const auto place = static_cast<unsigned>(__builtin_ctzll(four));
      out[__builtin_popcountll(leads & ((four & (0 - four)) - 1))] = symbol_above(tables, text_ + place);
    }
  }

  const std::uint8_t* text_;
  __m512i bytes_, second_, third_;
};

struct Words {
  static std::size_t find_pairs(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
    const Symbol* const symbols = buffers.symbols;
    const auto load16 = [&](std::size_t i) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(symbols + i));
    };
    const __m512i column_mask = _mm512_set1_epi32(kColumns - 1),
                  weight_mask = _mm512_set1_epi32(kMaxWeights - 1);
    const __m512i one = _mm512_set1_epi32(1);
    const __m512d none = _mm512_set1_pd(-__builtin_inf());
    __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    std::size_t listed = 0;
    for (std::size_t i = 0; i < count; i += 16) {
      const __m512i first = _mm512_cvtepu16_epi32(load16(i)), second = _mm512_cvtepu16_epi32(load16(i + 1));
      __m512i key = _mm512_or_si512(_mm512_slli_epi32(first, kSymbolBits), second);
      key = _mm512_and_si512(_mm512_mullo_epi32(key, _mm512_set1_epi32(static_cast<int>(0x9E3779B1u))),
                             _mm512_set1_epi32(0xFFFFFFF));
      key = _mm512_xor_si512(key, _mm512_srli_epi32(key, 15));
      const __m512i column = _mm512_and_si512(key, column_mask);
      const __m512i pilot = _mm512_i32gather_epi32(_mm512_srli_epi32(key, kColumnBits), tables.pilots, 4);
      const __m512i slot = _mm512_add_epi32(pilot, column);
      const __m512i entry = _mm512_i32gather_epi32(slot, tables.pairs, 4);
      const __mmask16 hit =
          _mm512_cmpeq_epi32_mask(_mm512_srli_epi32(entry, kWeightBits + kPairFilterBits), column);
      const __m512i weight =
          _mm512_maskz_and_epi32(hit, _mm512_srli_epi32(entry, kPairFilterBits), weight_mask);
      const __mmask16 word = _mm512_test_epi32_mask(weight, weight);
      _mm512_storeu_pd(buffers.pair_weights + i,
                       _mm512_mask_i32gather_pd(none, static_cast<__mmask8>(word),
                                                _mm512_castsi512_si256(weight), tables.weights, 8));
      _mm512_storeu_pd(buffers.pair_weights + i + 8,
                       _mm512_mask_i32gather_pd(none, static_cast<__mmask8>(word >> 8),
                                                _mm512_extracti64x4_epi64(weight, 1), tables.weights, 8));
      const __mmask16 keep = _mm512_cmpneq_epi32_mask(first, one);
      _mm512_storeu_si512(buffers.keeps + i, _mm512_maskz_set1_epi64(static_cast<__mmask8>(keep), -1));
      _mm512_storeu_si512(buffers.keeps + i + 8,
                          _mm512_maskz_set1_epi64(static_cast<__mmask8>(keep >> 8), -1));

      // pair_filter() for the third symbol.
      const __m256i hash =
          _mm256_mullo_epi16(load16(i + 2), _mm256_set1_epi16(static_cast<short>(kSmallFilterFactor)));
      const __m512i bit = _mm512_cvtepu16_epi32(_mm256_mulhi_epu16(hash, _mm256_set1_epi16(kPairFilterBits)));
      const __mmask16 longer = _mm512_mask_test_epi32_mask(hit, _mm512_srlv_epi32(entry, bit), one);
      _mm512_storeu_si512(buffers.list_places + listed, _mm512_maskz_compress_epi32(longer, places));
      _mm512_storeu_si512(buffers.list_slots + listed, _mm512_maskz_compress_epi32(longer, slot));
      listed += static_cast<unsigned>(__builtin_popcount(longer));
      places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    }
    // The last vector also read symbols after the end, which are unknown and so in no word.
    return listed;
  }

  static void lengths(std::size_t count, CutBuffers& buffers) {
    const __m512i separator = _mm512_set1_epi16(kSeparatorSymbol);
    for (std::size_t i = 0; i < count; i += 64) {
      const std::uint64_t two = join_masks([&](std::size_t k) -> __mmask8 {
        return _mm512_cmp_pd_mask(_mm512_loadu_pd(buffers.best + i + 8 * k),
                                  _mm512_loadu_pd(buffers.single_sums + i + 8 * k), _CMP_NEQ_UQ);
      });
      const std::uint64_t separators =
          _mm512_kunpackd(_mm512_cmpeq_epi16_mask(_mm512_loadu_si512(buffers.symbols + i + 32), separator),
                          _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(buffers.symbols + i), separator));
      _mm512_storeu_si512(buffers.lengths + i,
                          _mm512_mask_mov_epi8(_mm512_set1_epi8(1), two & ~separators, _mm512_set1_epi8(2)));
    }
  }
};

/// The predecessors in the order of states: the first and the second of each.
constexpr int kFirstBefore = kEnd | kBegin << 2 | kBegin << 4 | kEnd << 6;
constexpr int kSecondBefore = kSingle | kMiddle << 2 | kMiddle << 4 | kSingle << 6;

class Viterbi {
 public:
  explicit Viterbi(const SegmentTables& tables)
      : emissions_(tables.emissions),
        start_(_mm512_broadcast_f64x4(_mm256_loadu_pd(tables.start))),
        first_(
            _mm512_broadcast_f64x4(_mm256_setr_pd(tables.next[kEnd][kBegin], tables.next[kBegin][kEnd],
                                                  tables.next[kBegin][kMiddle], tables.next[kEnd][kSingle]))),
        second_(_mm512_broadcast_f64x4(
            _mm256_setr_pd(tables.next[kSingle][kBegin], tables.next[kMiddle][kEnd],
                           tables.next[kMiddle][kMiddle], tables.next[kSingle][kSingle]))) {}

  unsigned one(const Symbol* symbols, std::size_t length, std::uint8_t* choices) const {
    __m512d weights = begin(symbols, symbols);
    for (std::size_t i = 1; i < length; ++i) {
      const Step next = step(weights, symbols, symbols, i);
      choices[i] = static_cast<std::uint8_t>((next.second & 15u) | (next.possible & 15u) << 4);
      weights = next.weights;
    }
    return last_state(_mm512_castpd512_pd256(weights));
  }

  void four(const Symbol* const (&symbols)[kTogether], const std::uint32_t (&lengths)[kTogether],
            std::uint8_t (&choices)[kLongestTogether + 1][kTogether], unsigned (&states)[kTogether]) const {
    __m512d x = begin(symbols[0], symbols[1]), y = begin(symbols[2], symbols[3]);
    for (std::uint32_t i = 1; i < lengths[0]; ++i) {
      const Step a = step(x, symbols[0], symbols[1], i), b = step(y, symbols[2], symbols[3], i);
      const std::uint32_t choice = (a.second & 15u) | (a.possible & 15u) << 4 | (a.second >> 4) << 8 |
                                   (a.possible >> 4) << 12 | (b.second & 15u) << 16 |
                                   (b.possible & 15u) << 20 | (b.second >> 4) << 24 | (b.possible >> 4) << 28;
      __builtin_memcpy(choices[i], &choice, sizeof choice);
      // Runs that have ended keep their last weights.
      x = _mm512_mask_mov_pd(x, static_cast<__mmask8>(0x0F | (i < lengths[1] ? 0xF0 : 0)), a.weights);
      y = _mm512_mask_mov_pd(
          y, static_cast<__mmask8>((i < lengths[2] ? 0x0F : 0) | (i < lengths[3] ? 0xF0 : 0)), b.weights);
    }
    states[0] = last_state(_mm512_castpd512_pd256(x));
    states[1] = last_state(_mm512_extractf64x4_pd(x, 1));
    states[2] = last_state(_mm512_castpd512_pd256(y));
    states[3] = last_state(_mm512_extractf64x4_pd(y, 1));
  }

 private:
  struct Step {
    __m512d weights;
    std::uint32_t second, possible;
  };
  [[nodiscard]] __m512d emission(const Symbol* a, const Symbol* b, std::size_t i) const {
    return _mm512_insertf64x4(
        _mm512_castpd256_pd512(_mm256_loadu_pd(emissions_ + std::size_t{a[i]} * kHmmStates)),
        _mm256_loadu_pd(emissions_ + std::size_t{b[i]} * kHmmStates), 1);
  }
  [[nodiscard]] __m512d begin(const Symbol* a, const Symbol* b) const {
    return _mm512_max_pd(_mm512_add_pd(start_, emission(a, b, 0)), _mm512_set1_pd(kLogZero));
  }
  [[nodiscard]] Step step(__m512d weights, const Symbol* a, const Symbol* b, std::size_t i) const {
    const __m512d emitted = emission(a, b, i), zero = _mm512_set1_pd(kLogZero);
    const __m512d first =
        _mm512_add_pd(_mm512_add_pd(_mm512_permutex_pd(weights, kFirstBefore), first_), emitted);
    const __m512d second =
        _mm512_add_pd(_mm512_add_pd(_mm512_permutex_pd(weights, kSecondBefore), second_), emitted);
    const __m512d best = _mm512_max_pd(first, second);
    return {_mm512_max_pd(best, zero), _mm512_cmp_pd_mask(second, first, _CMP_GT_OQ),
            _mm512_cmp_pd_mask(best, zero, _CMP_GT_OQ)};
  }
  static unsigned last_state(__m256d weights) {
    alignas(32) double by_state[kHmmStates];
    _mm256_store_pd(by_state, weights);
    return by_state[kEnd] >= by_state[kSingle] ? kEnd : kSingle;
  }

  const double* emissions_;
  __m512d start_, first_, second_;
};

struct Avx512 {
  using Block = leitong::Block;
  using Words = leitong::Words;
  using Viterbi = leitong::Viterbi;

  static void bitmaps(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
    const __m512i separator = _mm512_set1_epi16(kSeparatorSymbol);
    // takes_part_in_hmm(): symbol - separator as unsigned, which makes unknown symbols large, is above ASCII
    // and the user's symbols.
    const __m512i last_out =
        _mm512_set1_epi16(static_cast<short>(kFirstSymbol - kSeparatorSymbol + tables.user_characters));
    for (std::size_t i = 0; i * 64 <= count; ++i) {
      const __m512i starts = _mm512_loadu_si512(buffers.starts + i * 64);
      const __m512i low = _mm512_loadu_si512(buffers.symbols + i * 64),
                    high = _mm512_loadu_si512(buffers.symbols + i * 64 + 32);
      buffers.word_starts[i] = _mm512_test_epi8_mask(starts, starts);
      buffers.alone[i] = _mm512_kunpackd(_mm512_cmpge_epu16_mask(_mm512_sub_epi16(high, separator), last_out),
                                         _mm512_cmpge_epu16_mask(_mm512_sub_epi16(low, separator), last_out));
      buffers.unknown[i] =
          _mm512_kunpackd(_mm512_testn_epi16_mask(high, high), _mm512_testn_epi16_mask(low, low));
    }
  }

  static std::uint32_t* places(std::uint64_t bits, std::uint32_t base, std::uint32_t* out) {
    const __m512i places = _mm512_maskz_compress_epi8(bits, iota());
    const __m512i bases = _mm512_set1_epi32(static_cast<int>(base));
    const auto count = static_cast<unsigned>(__builtin_popcountll(bits));
    const auto store = [&](std::size_t part, __m128i bytes) {
      _mm512_storeu_si512(out + 16 * part, _mm512_add_epi32(bases, _mm512_cvtepu8_epi32(bytes)));
    };
    store(0, _mm512_castsi512_si128(places));
    if (count > 16) {
      store(1, _mm512_extracti32x4_epi32(places, 1));
      if (count > 32) {
        store(2, _mm512_extracti32x4_epi32(places, 2));
        store(3, _mm512_extracti32x4_epi32(places, 3));
      }
    }
    return out + count;
  }
};

}  // namespace

CutResult cut_avx512(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                     CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts) {
  return cut_chunk<Avx512>(tables, text, size, hmm, buffers, base, starts);
}

}  // namespace leitong
