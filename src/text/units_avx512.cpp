#include <immintrin.h>

#include "text/units_blocks.hpp"

namespace leitong {
namespace {

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
    alignas(64) static constexpr std::uint8_t kNext[64] = {
        1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
        23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
        45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 63};
    const __m512i next = _mm512_permutexvar_epi8(_mm512_load_si512(kNext), folded_);
    const __m512i first = _mm512_maskz_compress_epi8(starts, folded_);
    const __m512i second = _mm512_maskz_compress_epi8(starts, next);
    const int count = __builtin_popcountll(starts);  // at most 32: two starts are never neighbours
    store(_mm512_castsi512_si128(first), _mm512_castsi512_si128(second), out);
    if (count > 16)
      store(_mm512_extracti32x4_epi32(first, 1), _mm512_extracti32x4_epi32(second, 1), out + 16);
    return out + count;
  }

 private:
  static void store(__m128i first, __m128i second, Unit* out) {
    const __m512i a = _mm512_mullo_epi32(_mm512_cvtepu8_epi32(first), _mm512_set1_epi32(kFirstFactor));
    const __m512i b =
        _mm512_mullo_epi32(_mm512_cvtepu8_epi32(second), _mm512_set1_epi32(static_cast<int>(kSecondFactor)));
    _mm512_storeu_si512(
        out, _mm512_or_si512(_mm512_xor_si512(a, b), _mm512_set1_epi32(static_cast<int>(kPairBit))));
  }

  unsigned left_;
  std::uint64_t letters_;
  std::uint64_t high_;
  __m512i folded_;
};

}  // namespace

bool units_avx512(const FoldTable& table, const std::uint8_t* text, const std::uint8_t* end,
                  UnitsCursor& cursor) {
  return units_by_blocks<Avx512Block>(table, text, end, cursor);
}

}  // namespace leitong
