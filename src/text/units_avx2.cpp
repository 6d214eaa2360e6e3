#include <immintrin.h>

#include "text/units_blocks.hpp"

namespace leitong {
namespace {

/// For each value of a byte of starts, the places of its set bits, in order; the rest is 0x80, which the
/// shuffle turns into 0.
struct Places {
  alignas(64) std::uint8_t of[256][8];
};
constexpr Places make_places() {
  Places places{};
  for (int bits = 0; bits < 256; ++bits) {
    int n = 0;
    for (int i = 0; i < 8; ++i)
      if (bits >> i & 1) places.of[bits][n++] = static_cast<std::uint8_t>(i);
    while (n < 8) places.of[bits][n++] = 0x80;
  }
  return places;
}
constexpr Places kPlaces = make_places();

class Avx2Block {
 public:
  Avx2Block(const std::uint8_t* p, std::size_t left) : left_(left < 64 ? static_cast<unsigned>(left) : 64) {
    alignas(32) std::uint8_t copy[64];
    if (left_ < 64) {  // nothing after the text may be read
      _mm256_store_si256(reinterpret_cast<__m256i*>(copy), _mm256_setzero_si256());
      _mm256_store_si256(reinterpret_cast<__m256i*>(copy + 32), _mm256_setzero_si256());
      __builtin_memcpy(copy, p, left_);
      p = copy;
    }
    half(p, 0);
    half(p + 32, 32);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(folded_ + 64), _mm256_setzero_si256());
  }
  unsigned ascii() const {
    const unsigned run = high_ == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(high_));
    return run < left_ ? run : left_;
  }
  std::uint64_t letters() const { return letters_; }
  std::uint32_t letter(unsigned i) const { return folded_[i]; }
  Unit* emit(std::uint64_t starts, Unit* out) const {
    const std::uint8_t* p = folded_;
    // 8 bytes hold at most 4 units, because two starts are never adjacent.
    for (; starts != 0; starts >>= 8, p += 8) {
      const unsigned bits = static_cast<unsigned>(starts & 255);
      const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPlaces.of[bits]));
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i first = _mm_cvtepu8_epi32(_mm_shuffle_epi8(bytes, places));
      const __m128i second = _mm_cvtepu8_epi32(_mm_shuffle_epi8(_mm_srli_si128(bytes, 1), places));
      const __m128i a = _mm_mullo_epi32(first, _mm_set1_epi32(kFirstFactor));
      const __m128i b = _mm_mullo_epi32(second, _mm_set1_epi32(static_cast<int>(kSecondFactor)));
      const __m128i units = _mm_or_si128(_mm_xor_si128(a, b), _mm_set1_epi32(static_cast<int>(kPairBit)));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), units);
      out += __builtin_popcount(bits);
    }
    return out;
  }

 private:
  void half(const std::uint8_t* p, unsigned at) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
    const __m256i letters = _mm256_or_si256(at_most(_mm256_sub_epi8(lower, _mm256_set1_epi8('a')), 25),
                                            at_most(_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')), 9));
    // Digits have the bit 0x20 already.
    _mm256_store_si256(reinterpret_cast<__m256i*>(folded_ + at), _mm256_and_si256(lower, letters));
    letters_ |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(letters))} << at;
    high_ |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes))} << at;
  }
  static __m256i at_most(__m256i x, char most) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(most)), x);
  }

  unsigned left_;
  std::uint64_t letters_ = 0;
  std::uint64_t high_ = 0;
  alignas(32) std::uint8_t folded_[96];
};

}  // namespace

// Processes runs of one script in inner loops.
bool units_avx2(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                UnitsCursor& cursor) {
  UnitsTail tail{cursor.out, cursor.half};
  const Piece piece(table, text, end, cursor);
  for (const std::uint8_t* p = text; p < end;) {
    if ((*p & 0xF0) == 0xE0) {
      do {
        const std::uint32_t entry = table.entries[decode3(p)];
        p += 3;
        if (entry >> 24 == static_cast<std::uint32_t>(FoldClass::single)) {
          tail.separate();
          *tail.out++ = entry & kFoldValue;
        } else {
          if (piece.stops(entry, p - 3, p)) return false;
          tail.put(table, entry);
        }
      } while (p < end && (*p & 0xF0) == 0xE0);
    } else if (*p < 0x80) {
      // A single space or digit is not worth a block.
      if (end - p > 1 && p[1] >= 0x80)
        tail.put(table, table.entries[*p++]);
      else
        p = ascii_units<Avx2Block>(p, end, tail);
    } else if (*p < 0xE0) {
      do {
        const std::uint32_t entry = table.entries[decode2(p)];
        p += 2;
        if (piece.stops(entry, p - 2, p)) return false;
        tail.put(table, entry);
      } while (p < end && (*p & 0xE0) == 0xC0);
    } else {
      p = put_character(piece, p, tail);
      if (p == nullptr) return false;
    }
  }
  cursor.out = tail.out;
  cursor.half = tail.half;
  return true;
}

}  // namespace leitong
