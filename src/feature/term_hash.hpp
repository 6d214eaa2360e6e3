// The hashes of words that the literature and older tools use, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace leitong {

/// How a feature's bytes become 64 bits. On a Chinese vocabulary of 77,000 words 38 of the 64 bits of times33
/// are biased and 1,612 words collide; `multiplicative` has 6 biased bits: both are for comparison with old
/// tools only.
enum class TermHash {
  xxh3,            ///< XXH3, 64 bits
  murmur,          ///< MurmurHash3 x64 128, seed 0, its first 64 bits
  fnv1a,           ///< FNV-1a, 64 bits
  times33,         ///< h = 5381; h = 33 h + c for each byte
  multiplicative,  ///< x = c0 << 7; x = 1000003 x ^ c for each byte; x ^= length (Python 2's)
};

[[nodiscard]] std::uint64_t term_hash(TermHash method, std::string_view bytes) noexcept;

struct TermHashName {
  TermHash method;
  std::string_view name;
};
[[nodiscard]] std::span<const TermHashName> term_hash_names() noexcept;

/// The finaliser of MurmurHash3: a bijection in which every output bit depends on every input bit.
[[nodiscard]] constexpr std::uint64_t fmix64(std::uint64_t x) noexcept {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return x;
}

}  // namespace leitong
