// The state of SipHash for one text or, in the lanes of vectors, for several at a time.
#pragma once

#include <cstdint>

namespace leitong {

/// SipHash-2-4 of 64-bit words (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012, section 2).
/// `Word`: std::uint64_t, or a vector of these. Everything is inlined, because loops compiled for several
/// instruction sets share it and the linker must not use the code of one for another.
template <class Word>
class SipState {
 public:
  [[gnu::always_inline]] SipState(std::uint64_t low, std::uint64_t high) noexcept
      : a_(Word{} + (low ^ 0x736f6d6570736575u)),
        b_(Word{} + (high ^ 0x646f72616e646f6du)),
        c_(Word{} + (low ^ 0x6c7967656e657261u)),
        d_(Word{} + (high ^ 0x7465646279746573u)) {}

  [[gnu::always_inline]] void take(Word word) noexcept {
    d_ ^= word;
    rounds(2);
    a_ ^= word;
  }
  /// Call it after the last word, which has the number of bytes on top.
  [[gnu::always_inline]] Word finish() noexcept {
    c_ ^= 0xff;
    rounds(4);
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  [[gnu::always_inline]] static Word turned(Word x, int bits) noexcept {
    return x << bits | x >> (64 - bits);
  }
  [[gnu::always_inline]] void rounds(int count) noexcept {
    for (; count > 0; --count) {
      a_ += b_;
      b_ = turned(b_, 13) ^ a_;
      a_ = turned(a_, 32);
      c_ += d_;
      d_ = turned(d_, 16) ^ c_;
      a_ += d_;
      d_ = turned(d_, 21) ^ a_;
      c_ += b_;
      b_ = turned(b_, 17) ^ c_;
      c_ = turned(c_, 32);
    }
  }

  Word a_, b_, c_, d_;
};

}  // namespace leitong
