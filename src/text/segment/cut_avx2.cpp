#include <immintrin.h>

#include "text/segment/cut_chunk.hpp"

namespace leitong {
namespace {

/// The 64 mask bits of two vectors of 32 bytes.
std::uint64_t join_masks(__m256i low, __m256i high) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
         std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(high))} << 32;
}
__m256i load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
void store(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }

class Block {
 public:
  explicit Block(const std::uint8_t* p) : text_(p), low_(load(p)), high_(load(p + 32)) {}

  [[nodiscard]] std::uint64_t wide() const { return join_masks(low_, high_); }
  [[nodiscard]] std::uint64_t continuation() const {
    const __m256i lead = _mm256_set1_epi8(static_cast<char>(0xC0));
    return join_masks(_mm256_cmpgt_epi8(lead, low_), _mm256_cmpgt_epi8(lead, high_));
  }
  [[nodiscard]] std::uint64_t equal(char c) const {
    const __m256i each = _mm256_set1_epi8(c);
    return join_masks(_mm256_cmpeq_epi8(low_, each), _mm256_cmpeq_epi8(high_, each));
  }
  [[nodiscard]] std::uint64_t letters() const {
    const __m256i lower = _mm256_set1_epi8(0x20);
    return join_masks(between(_mm256_or_si256(low_, lower), 'a', 'z'),
                      between(_mm256_or_si256(high_, lower), 'a', 'z'));
  }
  [[nodiscard]] std::uint64_t digits() const {
    return join_masks(between(low_, '0', '9'), between(high_, '0', '9'));
  }

  // Vectors of 16 bytes cannot be used to look up bytes in 256 values. The first bytes are few, so they are
  // looked up by their two halves, which finds all of them and some others.
  [[nodiscard]] std::uint64_t triggers(const SegmentTables& tables) const {
    std::uint64_t maybe = join_masks(by_nibbles(tables, low_), by_nibbles(tables, high_));
    std::uint64_t found = 0;
    for (; maybe != 0; maybe &= maybe - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(maybe));
      const bool both = tables.triggers[text_[i]] & tables.triggers[256 + text_[i + 1]];
      found |= std::uint64_t{both} << i;
    }
    return found;
  }

  void symbols(const SegmentTables& tables, std::uint64_t leads, unsigned count, Symbol* out) const {
    for (unsigned i = 0; i < count; ++i, leads &= leads - 1) {
      const std::uint8_t* const p = text_ + __builtin_ctzll(leads);
      const std::uint32_t first = *p;
      if (__builtin_expect((first & 0xF0) == 0xE0, 1))
        out[i] = tables.text_symbols[(first & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u)];
      else if (first < 0x80)
        out[i] = tables.text_symbols[first];
      else if (first < 0xE0)
        out[i] = tables.text_symbols[(first & 31u) << 6 | (p[1] & 63u)];
      else
        out[i] = symbol_above(tables, p);
    }
  }

 private:
  static __m256i between(__m256i bytes, char first, char last) {
    return _mm256_and_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(static_cast<char>(first - 1))),
                            _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(last + 1)), bytes));
  }
  static __m256i by_nibbles(const SegmentTables& tables, __m256i bytes) {
    const auto table = [](const std::uint8_t* p) {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    };
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i low = _mm256_shuffle_epi8(table(tables.first_nibbles), _mm256_and_si256(bytes, nibble));
    const __m256i high = _mm256_shuffle_epi8(table(tables.first_nibbles + 16),
                                             _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    return _mm256_andnot_si256(_mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256()),
                               _mm256_set1_epi8(-1));
  }

  const std::uint8_t* text_;
  __m256i low_, high_;
};

struct Words {
  static std::size_t find_pairs(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
    const Symbol* const symbols = buffers.symbols;
    const auto load8 = [&](std::size_t i) {
      return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(symbols + i)));
    };
    const __m256d none = _mm256_set1_pd(-__builtin_inf());
    const __m256i zero = _mm256_setzero_si256(), separator = _mm256_set1_epi32(kSeparatorSymbol);
    std::size_t listed = 0;
    for (std::size_t i = 0; i < count; i += 8) {
      const __m256i first = load8(i);
      __m256i key = _mm256_or_si256(_mm256_slli_epi32(first, kSymbolBits), load8(i + 1));
      key = _mm256_and_si256(_mm256_mullo_epi32(key, _mm256_set1_epi32(static_cast<int>(0x9E3779B1u))),
                             _mm256_set1_epi32(0xFFFFFFF));
      key = _mm256_xor_si256(key, _mm256_srli_epi32(key, 15));
      const __m256i column = _mm256_and_si256(key, _mm256_set1_epi32(kColumns - 1));
      const __m256i pilot = _mm256_i32gather_epi32(reinterpret_cast<const int*>(tables.pilots),
                                                   _mm256_srli_epi32(key, kColumnBits), 4);
      const __m256i slot = _mm256_add_epi32(pilot, column);
      const __m256i entry = _mm256_i32gather_epi32(reinterpret_cast<const int*>(tables.pairs), slot, 4);
      const __m256i hit = _mm256_cmpeq_epi32(_mm256_srli_epi32(entry, kWeightBits + kPairFilterBits), column);
      const __m256i weight = _mm256_and_si256(hit, _mm256_and_si256(_mm256_srli_epi32(entry, kPairFilterBits),
                                                                    _mm256_set1_epi32(kMaxWeights - 1)));
      const __m256i word = _mm256_cmpgt_epi32(weight, zero);
      const auto gather = [&](std::size_t half, __m128i indices, __m128i mask) {
        const __m256d wide_mask = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(mask));
        _mm256_storeu_pd(buffers.pair_weights + i + 4 * half,
                         _mm256_mask_i32gather_pd(none, tables.weights, indices, wide_mask, 8));
      };
      gather(0, _mm256_castsi256_si128(weight), _mm256_castsi256_si128(word));
      gather(1, _mm256_extracti128_si256(weight, 1), _mm256_extracti128_si256(word, 1));
      const __m256i keep = _mm256_xor_si256(_mm256_cmpeq_epi32(first, separator), _mm256_set1_epi32(-1));
      store(buffers.keeps + i, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(keep)));
      store(buffers.keeps + i + 4, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(keep, 1)));

      // pair_filter() for the third symbol.
      const __m256i hash = _mm256_and_si256(
          _mm256_mullo_epi32(load8(i + 2), _mm256_set1_epi32(static_cast<int>(kSmallFilterFactor))),
          _mm256_set1_epi32(0xFFFF));
      const __m256i bit = _mm256_srli_epi32(_mm256_mullo_epi32(hash, _mm256_set1_epi32(kPairFilterBits)), 16);
      const __m256i next = _mm256_and_si256(hit, _mm256_slli_epi32(_mm256_srlv_epi32(entry, bit), 31));
      auto longer = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(next)));
      alignas(32) std::uint32_t slots[8];
      store(slots, slot);
      for (; longer != 0; longer &= longer - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(longer));
        buffers.list_places[listed] = static_cast<std::uint32_t>(i + lane);
        buffers.list_slots[listed++] = slots[lane];
      }
    }
    return listed;
  }

  static void lengths(std::size_t count, CutBuffers& buffers) {
    for (std::size_t i = 0; i < count; i += 4) {
      const __m256d differ = _mm256_cmp_pd(_mm256_loadu_pd(buffers.best + i),
                                           _mm256_loadu_pd(buffers.single_sums + i), _CMP_NEQ_UQ);
      // keeps is 0 at separators.
      const __m256i two = _mm256_and_si256(_mm256_castpd_si256(differ), load(buffers.keeps + i));
      const auto mask = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(two)));
      const std::uint32_t bytes = 0x01010101u + static_cast<std::uint32_t>(_pdep_u32(mask, 0x01010101u));
      __builtin_memcpy(buffers.lengths + i, &bytes, sizeof bytes);
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
        start_(_mm256_loadu_pd(tables.start)),
        first_(_mm256_setr_pd(tables.next[kEnd][kBegin], tables.next[kBegin][kEnd],
                              tables.next[kBegin][kMiddle], tables.next[kEnd][kSingle])),
        second_(_mm256_setr_pd(tables.next[kSingle][kBegin], tables.next[kMiddle][kEnd],
                               tables.next[kMiddle][kMiddle], tables.next[kSingle][kSingle])) {}

  unsigned one(const Symbol* symbols, std::size_t length, std::uint8_t* choices) const {
    __m256d weights = begin(symbols);
    for (std::size_t i = 1; i < length; ++i) choices[i] = step(weights, symbols[i]);
    return last_state(weights);
  }

  void four(const Symbol* const (&symbols)[kTogether], const std::uint32_t (&lengths)[kTogether],
            std::uint8_t (&choices)[kLongestTogether + 1][kTogether], unsigned (&states)[kTogether]) const {
    __m256d a = begin(symbols[0]), b = begin(symbols[1]), c = begin(symbols[2]), d = begin(symbols[3]);
    std::uint32_t i = 1;
    for (; i < lengths[3]; ++i) {
      choices[i][0] = step(a, symbols[0][i]);
      choices[i][1] = step(b, symbols[1][i]);
      choices[i][2] = step(c, symbols[2][i]);
      choices[i][3] = step(d, symbols[3][i]);
    }
    for (; i < lengths[2]; ++i) {
      choices[i][0] = step(a, symbols[0][i]);
      choices[i][1] = step(b, symbols[1][i]);
      choices[i][2] = step(c, symbols[2][i]);
    }
    for (; i < lengths[1]; ++i) {
      choices[i][0] = step(a, symbols[0][i]);
      choices[i][1] = step(b, symbols[1][i]);
    }
    for (; i < lengths[0]; ++i) choices[i][0] = step(a, symbols[0][i]);
    states[0] = last_state(a);
    states[1] = last_state(b);
    states[2] = last_state(c);
    states[3] = last_state(d);
  }

 private:
  [[nodiscard]] __m256d emission(Symbol symbol) const {
    return _mm256_loadu_pd(emissions_ + std::size_t{symbol} * kHmmStates);
  }
  [[nodiscard]] __m256d begin(const Symbol* symbols) const {
    return _mm256_max_pd(_mm256_add_pd(start_, emission(symbols[0])), _mm256_set1_pd(kLogZero));
  }
  std::uint8_t step(__m256d& weights, Symbol symbol) const {
    const __m256d emitted = emission(symbol), zero = _mm256_set1_pd(kLogZero);
    const __m256d first =
        _mm256_add_pd(_mm256_add_pd(_mm256_permute4x64_pd(weights, kFirstBefore), first_), emitted);
    const __m256d second =
        _mm256_add_pd(_mm256_add_pd(_mm256_permute4x64_pd(weights, kSecondBefore), second_), emitted);
    const __m256d best = _mm256_max_pd(first, second);
    weights = _mm256_max_pd(best, zero);
    return static_cast<std::uint8_t>(_mm256_movemask_pd(_mm256_cmp_pd(second, first, _CMP_GT_OQ)) |
                                     _mm256_movemask_pd(_mm256_cmp_pd(best, zero, _CMP_GT_OQ)) << 4);
  }
  static unsigned last_state(__m256d weights) {
    alignas(32) double by_state[kHmmStates];
    _mm256_store_pd(by_state, weights);
    return by_state[kEnd] >= by_state[kSingle] ? kEnd : kSingle;
  }

  const double* emissions_;
  __m256d start_, first_, second_;
};

struct Avx2 {
  using Block = leitong::Block;
  using Words = leitong::Words;
  using Viterbi = leitong::Viterbi;

  static void bitmaps(const SegmentTables& tables, std::size_t count, CutBuffers& buffers) {
    const __m256i zero = _mm256_setzero_si256();
    // takes_part_in_hmm(): symbol - separator as unsigned, which makes unknown symbols large, is above ASCII
    // and the user's symbols.
    const __m256i separator = _mm256_set1_epi16(kSeparatorSymbol);
    const __m256i last_out =
        _mm256_set1_epi16(static_cast<short>(kFirstSymbol - kSeparatorSymbol + tables.user_characters));
    const auto symbol_mask = [&](std::size_t i, const auto& test) {
      const auto bytes = [&](std::size_t at) {
        const __m256i packed =
            _mm256_packs_epi16(test(load(buffers.symbols + at)), test(load(buffers.symbols + at + 16)));
        return _mm256_permute4x64_epi64(packed, 0 | 2 << 2 | 1 << 4 | 3 << 6);
      };
      return join_masks(bytes(i * 64), bytes(i * 64 + 32));
    };
    for (std::size_t i = 0; i * 64 <= count; ++i) {
      const std::uint8_t* const starts = buffers.starts + i * 64;
      buffers.word_starts[i] =
          join_masks(_mm256_cmpgt_epi8(load(starts), zero), _mm256_cmpgt_epi8(load(starts + 32), zero));
      buffers.alone[i] = symbol_mask(i, [&](__m256i symbols) {
        const __m256i number = _mm256_sub_epi16(symbols, separator);
        return _mm256_cmpeq_epi16(_mm256_max_epu16(number, last_out), number);
      });
      buffers.unknown[i] = symbol_mask(i, [&](__m256i symbols) { return _mm256_cmpeq_epi16(symbols, zero); });
    }
  }

  static std::uint32_t* places(std::uint64_t bits, std::uint32_t base, std::uint32_t* out) {
    std::uint32_t* const end = out + __builtin_popcountll(bits);
    // Always writes eight: a branch for each would often be mispredicted.
    while (out < end) {
      for (unsigned k = 0; k < 8; ++k, bits &= bits - 1)
        out[k] = base + static_cast<std::uint32_t>(__builtin_ctzll(bits | std::uint64_t{1} << 63));
      out += 8;
    }
    return end;
  }
};

}  // namespace

CutResult cut_avx2(const SegmentTables& tables, const std::uint8_t* text, std::size_t size, bool hmm,
                   CutBuffers& buffers, std::uint32_t base, std::uint32_t* starts) {
  return cut_chunk<Avx2>(tables, text, size, hmm, buffers, base, starts);
}

}  // namespace leitong
