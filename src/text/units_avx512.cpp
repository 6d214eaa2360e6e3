#include <immintrin.h>

#include "text/units_blocks.hpp"

namespace leitong {
namespace {

/// 64 bytes. bytes_of() sets byte i to of(i).
struct Bytes {
  alignas(64) std::uint8_t of[64];
};
template <class Of>
constexpr Bytes bytes_of(Of of) {
  Bytes bytes{};
  for (unsigned i = 0; i < 64; ++i) bytes.of[i] = static_cast<std::uint8_t>(of(i));
  return bytes;
}

/// pair_unit() of each lane.
__m512i pair_units(__m512i first, __m512i second) {
  const __m512i a = _mm512_mullo_epi32(first, _mm512_set1_epi32(kFirstFactor));
  const __m512i b = _mm512_mullo_epi32(second, _mm512_set1_epi32(static_cast<int>(kSecondFactor)));
  return _mm512_or_si512(_mm512_xor_si512(a, b), _mm512_set1_epi32(static_cast<int>(kPairBit)));
}

class Avx512Block {
 public:
  Avx512Block(const std::uint8_t* p, std::size_t left) : left_(left < 64 ? static_cast<unsigned>(left) : 64) {
    const __m512i bytes =
        left_ == 64 ? _mm512_loadu_si512(p) : _mm512_maskz_loadu_epi8((std::uint64_t{1} << left_) - 1, p);
    const __m512i lower = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20));
    letters_ = _mm512_cmple_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(25)) |
               _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
    high_ = _mm512_movepi8_mask(bytes);
    folded_ = _mm512_maskz_mov_epi8(letters_, lower);  // digits have the bit 0x20 already
  }
  unsigned ascii() const {
    const unsigned run = high_ == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(high_));
    return run < left_ ? run : left_;
  }
  std::uint64_t letters() const { return letters_; }
  std::uint32_t letter(unsigned i) const {
    const __m512i place = _mm512_set1_epi8(static_cast<char>(i));
    return static_cast<std::uint8_t>(
        _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_permutexvar_epi8(place, folded_))));
  }
  Unit* emit(std::uint64_t starts, Unit* out) const {
    static constexpr Bytes kNext = bytes_of([](unsigned i) { return i < 63 ? i + 1 : 63; });
    const __m512i next = _mm512_permutexvar_epi8(_mm512_load_si512(kNext.of), folded_);
    const __m512i first = _mm512_maskz_compress_epi8(starts, folded_);
    const __m512i second = _mm512_maskz_compress_epi8(starts, next);
    const int count = __builtin_popcountll(starts);  // at most 32: two starts are never adjacent
    store(_mm512_castsi512_si128(first), _mm512_castsi512_si128(second), out);
    if (count > 16)
      store(_mm512_extracti32x4_epi32(first, 1), _mm512_extracti32x4_epi32(second, 1), out + 16);
    return out + count;
  }

 private:
  static void store(__m128i first, __m128i second, Unit* out) {
    _mm512_storeu_si512(out, pair_units(_mm512_cvtepu8_epi32(first), _mm512_cvtepu8_epi32(second)));
  }

  unsigned left_;
  std::uint64_t letters_;
  std::uint64_t high_;
  __m512i folded_;
};

/// The entries of 16 characters, by their code points.
inline __m512i entries_of(const FoldTable& table, __m512i code_points) {
  return _mm512_i32gather_epi32(code_points, table.entries, 4);
}
inline __m512i values_of(__m512i entries) { return _mm512_and_si512(entries, _mm512_set1_epi32(kFoldValue)); }
inline __mmask16 entries_of_class(__m512i entries, FoldClass kind) {
  return _mm512_cmpeq_epi32_mask(_mm512_and_si512(entries, _mm512_set1_epi32(7 << 24)),
                                 _mm512_set1_epi32(static_cast<int>(fold_entry(kind, 0))));
}

/// Joins bits of three bytes in each lane, the first one lowest, to one number: 6 of each but the first.
inline __m512i join_bits(__m512i lanes) {
  const __m512i halves = _mm512_maddubs_epi16(lanes, _mm512_set1_epi32(0x00010140));
  return _mm512_madd_epi16(halves, _mm512_set1_epi32(0x00010040));
}

/// Appends 16 characters of 3 bytes, from 64 bytes. Returns false and appends nothing if they have other
/// lengths or are other than Han, kana, hangul and separators.
inline bool put_wide(const FoldTable& table, __m512i bytes, UnitsTail& tail) {
  // Three bytes in each lane, and one that is ignored.
  static constexpr Bytes kPlaces = bytes_of([](unsigned i) { return i / 4 * 3 + (i % 4 < 2 ? i % 4 : 2); });
  constexpr __mmask16 kAll = 0xFFFF;
  const __m512i lanes = _mm512_permutexvar_epi8(_mm512_load_si512(kPlaces.of), bytes);
  const __m512i lengths = _mm512_and_si512(lanes, _mm512_set1_epi32(0xF0));
  if (_mm512_cmpeq_epi32_mask(lengths, _mm512_set1_epi32(0xE0)) != kAll) return false;
  const __m512i entries =
      entries_of(table, join_bits(_mm512_and_si512(lanes, _mm512_set1_epi32(0x003F3F0F))));
  // And the bit of those that may compose.
  const __m512i kinds = _mm512_andnot_si512(_mm512_set1_epi32(kFoldValue), entries);
  const __mmask16 singles =
      _mm512_cmpeq_epi32_mask(kinds, _mm512_set1_epi32(static_cast<int>(fold_entry(FoldClass::single, 0))));
  if ((singles | _mm512_testn_epi32_mask(kinds, kinds)) != kAll) return false;
  tail.separate();
  _mm512_storeu_si512(tail.out, _mm512_maskz_compress_epi32(singles, values_of(entries)));
  tail.out += __builtin_popcount(singles);
  return true;
}

/// The code points of 16 characters of at most 3 bytes, from their bytes in each lane.
inline __m512i code_points(__m512i lanes) {
  const __mmask16 one = _mm512_testn_epi32_mask(lanes, _mm512_set1_epi32(0x80));
  const __mmask16 three = _mm512_mask_test_epi32_mask(_knot_mask16(one), lanes, _mm512_set1_epi32(0x20));
  const auto choose = [=](int of_one, int of_two, int of_three) {
    const __m512i of_long =
        _mm512_mask_mov_epi32(_mm512_set1_epi32(of_two), three, _mm512_set1_epi32(of_three));
    return _mm512_mask_mov_epi32(of_long, one, _mm512_set1_epi32(of_one));
  };
  // Computed as if each had three bytes; the bits of missing bytes are shifted out.
  const __m512i bits = _mm512_and_si512(lanes, choose(0x7F, 0x3F1F, 0x3F3F0F));
  return _mm512_srlv_epi32(join_bits(bits), choose(12, 6, 0));
}

/// True if the first or the last character of a block is a look-alike and meets a Latin letter outside the
/// block.
inline bool meets_latin_outside(const Piece& piece, const std::uint8_t* p, std::uint64_t begins,
                                std::uint64_t look_alikes) {
  const auto meets = [&](const std::uint8_t* at) {
    return meets_latin(piece.table, piece.text, at, at + character_length(*at), piece.end);
  };
  const auto last = static_cast<unsigned>(__builtin_popcountll(begins)) - 1;
  return ((look_alikes & 1) != 0 && meets(p + __builtin_ctzll(begins))) ||
         ((look_alikes >> last & 1) != 0 && meets(p + 63 - __builtin_clzll(begins)));
}

/// Appends the characters of at most 3 bytes that begin at the bits of `begins`, at most 32, without a branch
/// that depends on their kinds. Returns false and appends nothing if one is dropped, expands, may stop the
/// kernel, or is a look-alike beside something that may belong to a Latin word. `p` is where the bytes come
/// from.
inline bool put_mixed(const Piece& piece, const std::uint8_t* p, __m512i bytes, std::uint64_t begins,
                      UnitsTail& tail) {
  const FoldTable& table = piece.table;
  static constexpr Bytes kPlaces = bytes_of([](unsigned i) { return i; });
  static constexpr Bytes kFourTimes = bytes_of([](unsigned i) { return i / 4; });
  const __m512i places = _mm512_maskz_compress_epi8(begins, _mm512_load_si512(kPlaces.of));
  const auto fold = [&](char from) {
    // Each lane gets the place of its character four times, and then the bytes at these places.
    const __m512i lane = _mm512_add_epi8(_mm512_load_si512(kFourTimes.of), _mm512_set1_epi8(from));
    const __m512i at = _mm512_add_epi32(_mm512_permutexvar_epi8(lane, places), _mm512_set1_epi32(0x03020100));
    return entries_of(table, code_points(_mm512_permutexvar_epi8(at, bytes)));
  };
  const __m512i low = fold(0), high = fold(16);
  const std::uint64_t all = (std::uint64_t{1} << __builtin_popcountll(begins)) - 1;
  const auto bits = [all](__mmask16 of_low, __mmask16 of_high) {
    return all & (of_low | static_cast<std::uint64_t>(of_high) << 16);
  };
  const auto of_class = [&](FoldClass kind) {
    return bits(entries_of_class(low, kind), entries_of_class(high, kind));
  };
  const __m512i odd = _mm512_set1_epi32(static_cast<int>(piece.stop | fold_entry(FoldClass::expansion, 0)));
  if (of_class(FoldClass::dropped) |
      bits(_mm512_test_epi32_mask(low, odd), _mm512_test_epi32_mask(high, odd)))
    return false;

  const std::uint64_t singles = of_class(FoldClass::single);
  std::uint64_t letters = of_class(FoldClass::letter);
  const auto flagged = [&](std::uint32_t flag) {
    const __m512i bit = _mm512_set1_epi32(static_cast<int>(flag));
    return bits(_mm512_test_epi32_mask(low, bit), _mm512_test_epi32_mask(high, bit));
  };
  if (const std::uint64_t look_alikes = flagged(kFoldLookAlike)) {
    const std::uint64_t others = letters & ~flagged(kFoldForeign);
    if ((look_alikes & (others << 1 | others >> 1)) != 0) return false;
    if (meets_latin_outside(piece, p, begins, look_alikes)) return false;
  }
  const __m512i low_values = values_of(low), high_values = values_of(high);
  const auto first = static_cast<std::uint32_t>(_mm512_cvtsi512_si32(low_values));
  *tail.out = pair_unit(tail.half, letters & 1 ? first : 0);
  const std::uint64_t open = tail.half != 0;
  letters &= ~open;
  Unit* out = tail.out + open;

  std::uint64_t starts = unit_starts(letters);
  const std::uint64_t last = starts & (all ^ all >> 1);  // its second letter may be in the next block
  starts ^= last;
  const auto value_at = [](std::uint64_t lane, __m512i values) {
    return _mm512_cvtsi512_si32(_mm512_maskz_compress_epi32(static_cast<__mmask16>(lane), values));
  };
  tail.half = static_cast<std::uint32_t>(value_at(last, low_values) | value_at(last >> 16, high_values));

  const auto emit = [&](__m512i values, __m512i next, unsigned from) {
    const auto lanes = [from](std::uint64_t mask) { return static_cast<__mmask16>(mask >> from); };
    const __m512i second = _mm512_maskz_alignr_epi32(lanes(letters >> 1), next, values, 1);
    const __m512i units = _mm512_mask_mov_epi32(values, lanes(starts), pair_units(values, second));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(lanes(starts | singles), units));
    out += __builtin_popcount(lanes(starts | singles));
  };
  emit(low_values, high_values, 0);
  emit(high_values, high_values, 16);
  tail.out = out;
  return true;
}

}  // namespace

// In mixed text the kind of the characters changes often, and each change would be mispredicted. So the steps
// for a block do not depend on its content, except for the two frequent kinds of pure blocks.
bool units_avx512(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor) {
  UnitsTail tail{cursor.out, cursor.half};
  const Piece piece(table, text, end, cursor);
  for (const std::uint8_t* p = text; p < end;) {
    const std::size_t length = end - p < 64 ? static_cast<std::size_t>(end - p) : 64;
    const std::uint64_t within = ~std::uint64_t{0} >> (64 - length);
    const __m512i bytes = _mm512_maskz_loadu_epi8(within, p);
    if (put_wide(table, bytes, tail)) {
      p += 48;
      continue;
    }
    if (_mm512_movepi8_mask(bytes) == 0) {
      p = ascii_units<Avx512Block>(p, end, tail);
      continue;
    }
    if (_mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(static_cast<char>(0xF0))) == 0) {
      constexpr std::uint64_t kWhole = ~std::uint64_t{0} >> 2;  // 3 bytes that begin here end in the block
      const std::uint64_t begins =
          _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(0xC0))) & within;
      const std::uint64_t taken = begins & kWhole & (_pdep_u64(std::uint64_t{1} << 32, begins) - 1);
      if (put_mixed(piece, p, bytes, taken, tail)) {
        p += begins != taken ? static_cast<std::size_t>(__builtin_ctzll(begins ^ taken)) : length;
        continue;
      }
    }
    for (const std::uint8_t* next = p + length; p < next;) {
      p = put_character(piece, p, tail);
      if (p == nullptr) return false;
    }
  }
  cursor.out = tail.out;
  cursor.half = tail.half;
  return true;
}

}  // namespace leitong
