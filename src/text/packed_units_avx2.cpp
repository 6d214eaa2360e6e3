#include <immintrin.h>

#include "text/packed_units_lanes.hpp"

namespace leitong {
namespace {

struct Avx2Mask {
  __m256i v;
  bool any() const { return _mm256_testz_si256(v, v) == 0; }
  Avx2Mask operator!() const { return {_mm256_xor_si256(v, _mm256_set1_epi32(-1))}; }
  Avx2Mask operator&(Avx2Mask o) const { return {_mm256_and_si256(v, o.v)}; }
  Avx2Mask operator|(Avx2Mask o) const { return {_mm256_or_si256(v, o.v)}; }
};

struct Avx2Lanes {
  using Mask = Avx2Mask;
  static constexpr std::size_t kLanes = 8;
  __m256i v;

  static Avx2Lanes load(const Unit* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  static Avx2Lanes load_words(const std::uint16_t* p) {
    return {_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
  }
  static Avx2Lanes all(std::uint32_t value) { return {_mm256_set1_epi32(static_cast<int>(value))}; }
  void store(Unit* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  void store_words(std::uint16_t* p) const {
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(v, v), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
  }
  Avx2Lanes operator+(Avx2Lanes o) const { return {_mm256_add_epi32(v, o.v)}; }
  Avx2Lanes operator*(Avx2Lanes o) const { return {_mm256_mullo_epi32(v, o.v)}; }
  Avx2Lanes operator&(Avx2Lanes o) const { return {_mm256_and_si256(v, o.v)}; }
  Avx2Lanes operator|(Avx2Lanes o) const { return {_mm256_or_si256(v, o.v)}; }
  Avx2Lanes operator^(Avx2Lanes o) const { return {_mm256_xor_si256(v, o.v)}; }
  Avx2Lanes operator>>(unsigned bits) const { return {_mm256_srli_epi32(v, static_cast<int>(bits))}; }
  Mask operator==(Avx2Lanes o) const { return {_mm256_cmpeq_epi32(v, o.v)}; }
  friend Mask less(Avx2Lanes a, Avx2Lanes b) {
    return !Mask{_mm256_cmpeq_epi32(_mm256_max_epu32(a.v, b.v), a.v)};
  }
  friend Avx2Lanes select(Mask mask, Avx2Lanes yes, Avx2Lanes no) {
    return {_mm256_blendv_epi8(no.v, yes.v, mask.v)};
  }

  // A table of 256 bytes with three more after it, since four are read at each place.
  class Bytes {
   public:
    explicit Bytes(const std::uint8_t* table) : table_(table) {}
    Avx2Lanes at(Avx2Lanes place) const {
      return Avx2Lanes{_mm256_i32gather_epi32(reinterpret_cast<const int*>(table_), place.v, 1)} & all(0xFF);
    }

   private:
    const std::uint8_t* table_;
  };
};

}  // namespace

std::size_t pack_avx2(const Unit* units, std::size_t count, std::uint16_t* words) {
  return PackedByLanes<Avx2Lanes>::pack(units, count, words);
}
std::size_t unpack_avx2(const std::uint16_t* words, std::size_t count, Unit* units) {
  return PackedByLanes<Avx2Lanes>::unpack(words, count, units);
}

}  // namespace leitong
