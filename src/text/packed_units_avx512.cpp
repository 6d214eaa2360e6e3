#include <immintrin.h>

#include "text/packed_units_lanes.hpp"

namespace leitong {
namespace {

struct Avx512Mask {
  __mmask16 bits;
  bool any() const { return bits != 0; }
  Avx512Mask operator!() const { return {static_cast<__mmask16>(~bits)}; }
  Avx512Mask operator&(Avx512Mask o) const { return {static_cast<__mmask16>(bits & o.bits)}; }
  Avx512Mask operator|(Avx512Mask o) const { return {static_cast<__mmask16>(bits | o.bits)}; }
};

struct Avx512Lanes {
  using Mask = Avx512Mask;
  static constexpr std::size_t kLanes = 16;
  __m512i v;

  static Avx512Lanes load(const Unit* p) { return {_mm512_loadu_si512(p)}; }
  static Avx512Lanes load_words(const std::uint16_t* p) {
    return {_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
  }
  static Avx512Lanes all(std::uint32_t value) { return {_mm512_set1_epi32(static_cast<int>(value))}; }
  void store(Unit* p) const { _mm512_storeu_si512(p, v); }
  void store_words(std::uint16_t* p) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(v));
  }
  Avx512Lanes operator+(Avx512Lanes o) const { return {_mm512_add_epi32(v, o.v)}; }
  Avx512Lanes operator*(Avx512Lanes o) const { return {_mm512_mullo_epi32(v, o.v)}; }
  Avx512Lanes operator&(Avx512Lanes o) const { return {_mm512_and_si512(v, o.v)}; }
  Avx512Lanes operator|(Avx512Lanes o) const { return {_mm512_or_si512(v, o.v)}; }
  Avx512Lanes operator^(Avx512Lanes o) const { return {_mm512_xor_si512(v, o.v)}; }
  Avx512Lanes operator>>(unsigned bits) const { return {_mm512_srli_epi32(v, bits)}; }
  Mask operator==(Avx512Lanes o) const { return {_mm512_cmpeq_epi32_mask(v, o.v)}; }
  friend Mask less(Avx512Lanes a, Avx512Lanes b) { return {_mm512_cmplt_epu32_mask(a.v, b.v)}; }
  friend Avx512Lanes select(Mask mask, Avx512Lanes yes, Avx512Lanes no) {
    return {_mm512_mask_mov_epi32(no.v, mask.bits, yes.v)};
  }

  // A table of 256 bytes, looked up in registers.
  class Bytes {
   public:
    explicit Bytes(const std::uint8_t* table) {
      for (std::size_t i = 0; i < 4; ++i) quarters_[i] = _mm512_loadu_si512(table + 64 * i);
    }
    Avx512Lanes at(Avx512Lanes place) const {
      const __m512i low = _mm512_permutex2var_epi8(quarters_[0], place.v, quarters_[1]);
      const __m512i high = _mm512_permutex2var_epi8(quarters_[2], place.v, quarters_[3]);
      return Avx512Lanes{_mm512_mask_mov_epi32(high, less(place, all(128)).bits, low)} & all(0xFF);
    }

   private:
    __m512i quarters_[4];
  };
};

}  // namespace

std::size_t pack_avx512(const Unit* units, std::size_t count, std::uint16_t* words) {
  return PackedByLanes<Avx512Lanes>::pack(units, count, words);
}
std::size_t unpack_avx512(const std::uint16_t* words, std::size_t count, Unit* units) {
  return PackedByLanes<Avx512Lanes>::unpack(words, count, units);
}

}  // namespace leitong
