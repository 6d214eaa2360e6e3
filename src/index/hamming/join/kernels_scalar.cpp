#include "base/kernel_families.hpp"
#include "index/hamming/join/kernel_loops.hpp"

namespace leitong::hamming {
namespace {

struct Scalar {
  /// A mask is a few runs of bits; each of them costs a shift.
  template <unsigned W>
  class Extractor {
   public:
    explicit Extractor(const u64* mask) noexcept {
      u32 at = 0;
      for (u32 word = 0; word < W; ++word)
        for (u32 bit = 0; bit < 64;) {
          if ((mask[word] >> bit & 1) == 0) {
            ++bit;
            continue;
          }
          u32 width = 0;
          while (bit + width < 64 && (mask[word] >> (bit + width) & 1) != 0) ++width;
          runs_[count_++] = {width == 64 ? ~u64{0} : (u64{1} << width) - 1, word, bit, at};
          at += width;
          bit += width;
        }
    }
    u64 operator()(const u64* value) const noexcept {
      u64 digit = 0;
      for (u32 i = 0; i < count_; ++i)
        digit |= (value[runs_[i].word] >> runs_[i].shift & runs_[i].mask) << runs_[i].at;
      return digit;
    }

   private:
    struct Run {
      u64 mask;
      u32 word, shift, at;
    };
    Run runs_[32 * W];
    u32 count_ = 0;
  };

  static void store_line(u64* to, const u64* from) noexcept {
    for (unsigned i = 0; i < 8; ++i) to[i] = from[i];
  }
  static void store_fence() noexcept {}

  /// The baseline has no population count instruction: sums of neighbouring bits, then pairs, then nibbles.
  static unsigned count_bits(u64 x) noexcept {
    x -= x >> 1 & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return static_cast<unsigned>(x * 0x0101010101010101ULL >> 56);
  }

  template <unsigned W>
  static unsigned difference(const u64* x, const u64* y) noexcept {
    unsigned bits = 0;
    for (unsigned i = 0; i < W; ++i) bits += count_bits(x[i] ^ y[i]);
    return bits;
  }

  template <unsigned W>
  static std::size_t scan(const u64* values, std::size_t count, const u64* query, unsigned distance,
                          u32* hits) noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      // Hits are rare and irregular: always storing and seldom advancing is faster than a branch.
      hits[found] = static_cast<u32>(i);
      found += difference<W>(values + W * i, query) <= distance ? 1 : 0;
    }
    return found;
  }

  template <unsigned W>
  static std::size_t pairs(const u64* values, u32 begin, u32 end, unsigned distance, PairHit* hits) noexcept {
    std::size_t found = 0;
    for (u32 b = begin + 1; b < end; ++b)
      for (u32 a = begin; a < b; ++a)
        if (difference<W>(values + W * std::size_t{a}, values + W * std::size_t{b}) <= distance)
          hits[found++] = {a, b};
    return found;
  }
};

}  // namespace

constexpr Kernels kScalarKernels[2] = {Loops<Scalar, 1>::table(), Loops<Scalar, 2>::table()};

const Kernels& kernels(Simd level, unsigned words) noexcept {
  LEITONG_RETURN_KERNEL(level, kScalarKernels[words - 1], kAvx2Kernels[words - 1], kAvx512Kernels[words - 1]);
}

}  // namespace leitong::hamming
