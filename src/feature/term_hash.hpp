// The hashes of words that the literature and older tools use, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace leitong {

/// How the bytes of a feature become 64 bits. On a Chinese vocabulary of 77,000 words 38 of the 64 bits of
/// times33 are biased and 1,612 words collide; `multiplicative` has 6 biased bits. These two and `codepoint`
/// are for comparison with old tools only.
enum class TermHash {
  xxh3,            ///< XXH3, 64 bits
  murmur,          ///< MurmurHash3 x64 128, seed 0, its first 64 bits
  fnv1a,           ///< FNV-1a, 64 bits
  times33,         ///< h = 5381; h = 33 h + c for each byte
  multiplicative,  ///< x = c0 << 7; x = 1000003 x ^ c for each byte; x ^= length (Python 2's)
  codepoint,       ///< the same over code points and their number, as in most tutorials on SimHash
};

/// The bytes of a word are UTF-8. For TermHash::codepoint an invalid sequence counts as U+FFFD.
[[nodiscard]] std::uint64_t term_hash(TermHash method, std::string_view bytes) noexcept;

/// TermHash::codepoint of any sequence of numbers.
template <class T>
[[nodiscard]] constexpr std::uint64_t multiplicative_hash(std::span<const T> values) noexcept {
  if (values.empty()) return 0;
  std::uint64_t hash = std::uint64_t{values.front()} << 7;
  for (const T value : values) hash = hash * 1000003 ^ std::uint64_t{value};
  return hash ^ values.size();
}

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
