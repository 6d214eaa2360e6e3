#include <immintrin.h>

#include "text/normalise_blocks.hpp"

namespace leitong {
namespace {

class Avx2Block {
 public:
  Avx2Block(const std::uint8_t* ascii, const std::uint8_t* p, std::size_t left)
      : left_(left < 64 ? static_cast<unsigned>(left) : 64) {
    alignas(32) std::uint8_t copy[64] = {};
    const std::uint8_t* from = p;
    if (left_ < 64) {
      for (unsigned i = 0; i < left_; ++i) copy[i] = p[i];
      from = copy;
    }
    for (std::size_t half = 0; half < 2; ++half) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32 * half));
      high_ |= bits(bytes) << 32 * half;
      const __m256i mapped = look_up(ascii, bytes);
      const __m256i is_space = _mm256_cmpeq_epi8(mapped, _mm256_set1_epi8(static_cast<char>(kAsciiSpace)));
      spaces_ |= bits(is_space) << 32 * half;
      dropped_ |= bits(_mm256_cmpeq_epi8(mapped, _mm256_set1_epi8(static_cast<char>(kAsciiDropped))))
                  << 32 * half;
      _mm256_store_si256(reinterpret_cast<__m256i*>(mapped_ + 32 * half),
                         _mm256_blendv_epi8(mapped, _mm256_set1_epi8(' '), is_space));
    }
  }
  unsigned ascii() const {
    const unsigned run = high_ == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(high_));
    return run < left_ ? run : left_;
  }
  std::uint64_t spaces() const { return spaces_; }
  std::uint64_t dropped() const { return dropped_; }

  template <class T>
  T* emit(std::uint64_t kept, T* out) const {
    while (kept != 0) {
      const auto begin = static_cast<unsigned>(__builtin_ctzll(kept));
      const std::uint64_t rest =
          ~(kept >> begin);  // the shift fills with zeros, so its complement ends a run
      const unsigned run = rest == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(rest));
      for (unsigned i = 0; i < 64; ++i) out[i] = mapped_[begin + i];
      out += run;
      if (begin + run >= 64) break;
      kept &= ~std::uint64_t{0} << (begin + run);
    }
    return out;
  }

 private:
  static std::uint64_t bits(__m256i x) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(x)); }

  /// Looks up bytes in 128 values: eight tables of 16, of which the upper half of the byte selects one.
  static __m256i look_up(const std::uint8_t* ascii, __m256i bytes) {
    const __m256i row = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(7));
    const __m256i column = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    __m256i mapped = _mm256_setzero_si256();
    for (std::size_t i = 0; i < 8; ++i) {
      const __m256i table =
          _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(ascii + 16 * i)));
      const __m256i chosen = _mm256_cmpeq_epi8(row, _mm256_set1_epi8(static_cast<char>(i)));
      mapped = _mm256_or_si256(mapped, _mm256_and_si256(chosen, _mm256_shuffle_epi8(table, column)));
    }
    return mapped;
  }

  unsigned left_;
  std::uint64_t high_ = 0, spaces_ = 0, dropped_ = 0;
  alignas(32) std::uint8_t mapped_[128] = {};
};

}  // namespace

bool normalise_avx2(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint8_t>& cursor) {
  return normalise_by_blocks<Avx2Block>(view, end, cursor);
}
bool normalise_avx2(const NormalView& view, const std::uint8_t* end, NormalCursor<std::uint32_t>& cursor) {
  return normalise_by_blocks<Avx2Block>(view, end, cursor);
}

}  // namespace leitong
