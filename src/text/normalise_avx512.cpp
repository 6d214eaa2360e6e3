#include <immintrin.h>

#include "text/normalise_blocks.hpp"

namespace leitong {
namespace {

class Avx512Block {
 public:
  Avx512Block(const std::uint8_t* ascii, const std::uint8_t* p, std::size_t left)
      : left_(left < 64 ? static_cast<unsigned>(left) : 64) {
    const __m512i bytes =
        left_ == 64 ? _mm512_loadu_si512(p) : _mm512_maskz_loadu_epi8((std::uint64_t{1} << left_) - 1, p);
    high_ = _mm512_movepi8_mask(bytes);
    const __m512i mapped =
        _mm512_permutex2var_epi8(_mm512_load_si512(ascii), bytes, _mm512_load_si512(ascii + 64));
    spaces_ = _mm512_cmpeq_epi8_mask(mapped, _mm512_set1_epi8(static_cast<char>(kAsciiSpace)));
    dropped_ = _mm512_cmpeq_epi8_mask(mapped, _mm512_set1_epi8(static_cast<char>(kAsciiDropped)));
    mapped_ = _mm512_mask_mov_epi8(mapped, spaces_, _mm512_set1_epi8(' '));
  }
  unsigned ascii() const {
    const unsigned run = high_ == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(high_));
    return run < left_ ? run : left_;
  }
  std::uint64_t spaces() const { return spaces_; }
  std::uint64_t dropped() const { return dropped_; }

  std::uint8_t* emit(std::uint64_t kept, std::uint8_t* out) const {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(kept, mapped_));
    return out + __builtin_popcountll(kept);
  }
  std::uint32_t* emit(std::uint64_t kept, std::uint32_t* out) const {
    const __m512i packed = _mm512_maskz_compress_epi8(kept, mapped_);
    _mm512_storeu_si512(out, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)));
    _mm512_storeu_si512(out + 16, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)));
    _mm512_storeu_si512(out + 32, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 2)));
    _mm512_storeu_si512(out + 48, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 3)));
    return out + __builtin_popcountll(kept);
  }

 private:
  unsigned left_;
  std::uint64_t high_, spaces_, dropped_;
  __m512i mapped_;
};

}  // namespace

bool normalise_avx512(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor) {
  return normalise_by_blocks<Avx512Block>(view, end, cursor);
}
bool normalise_avx512(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor) {
  return normalise_by_blocks<Avx512Block>(view, end, cursor);
}

}  // namespace leitong
