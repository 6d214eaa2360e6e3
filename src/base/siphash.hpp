// SipHash-2-4: a hash that nobody can foresee who doesn't know its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace leitong {

/// 128 secret bits.
struct SipKey {
  std::uint64_t low = 0, high = 0;
};

/// SipHash-2-4 of some bytes (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012, section 2). About
/// 20 ns for 48 bytes.
[[nodiscard]] inline std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept {
  std::uint64_t a = key.low ^ 0x736f6d6570736575u, b = key.high ^ 0x646f72616e646f6du,
                c = key.low ^ 0x6c7967656e657261u, d = key.high ^ 0x7465646279746573u;
  const auto turned = [](std::uint64_t x, int bits) { return x << bits | x >> (64 - bits); };
  const auto rounds = [&](int count) {
    for (; count > 0; --count) {
      a += b;
      b = turned(b, 13) ^ a;
      a = turned(a, 32);
      c += d;
      d = turned(d, 16) ^ c;
      a += d;
      d = turned(d, 21) ^ a;
      c += b;
      b = turned(b, 17) ^ c;
      c = turned(c, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    d ^= word;
    rounds(2);
    a ^= word;
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    take(word);
  }
  std::uint64_t last = std::uint64_t{bytes.size()} << 56;
  for (std::size_t j = i; j < bytes.size(); ++j)
    last |= std::uint64_t{static_cast<unsigned char>(bytes[j])} << (8 * (j - i));
  take(last);
  c ^= 0xff;
  rounds(4);
  return a ^ b ^ c ^ d;
}

}  // namespace leitong
