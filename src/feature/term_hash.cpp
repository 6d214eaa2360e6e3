#include "feature/term_hash.hpp"

#include <array>
#include <bit>

#include "leitong/utf8.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace leitong {
namespace {

constexpr std::array kHashNames = {TermHashName{TermHash::xxh3, "xxh3"},
                                   TermHashName{TermHash::murmur, "murmur"},
                                   TermHashName{TermHash::fnv1a, "fnv1a"},
                                   TermHashName{TermHash::times33, "times33"},
                                   TermHashName{TermHash::multiplicative, "multiplicative"},
                                   TermHashName{TermHash::codepoint, "codepoint"}};

std::uint64_t little_endian(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

// Appleby's MurmurHash3_x64_128.
std::uint64_t murmur3(std::string_view bytes) {
  constexpr std::uint64_t c1 = 0x87c37b91114253d5ULL, c2 = 0x4cf5ad432745937fULL;
  const auto mix_first = [](std::uint64_t k) { return std::rotl(k * c1, 31) * c2; };
  const auto mix_second = [](std::uint64_t k) { return std::rotl(k * c2, 33) * c1; };
  std::uint64_t a = 0, b = 0;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 16; at += 16, left -= 16) {
    a ^= mix_first(little_endian(at, 8));
    a = (std::rotl(a, 27) + b) * 5 + 0x52dce729;
    b ^= mix_second(little_endian(at + 8, 8));
    b = (std::rotl(b, 31) + a) * 5 + 0x38495ab5;
  }
  if (left > 8) b ^= mix_second(little_endian(at + 8, left - 8));
  if (left > 0) a ^= mix_first(little_endian(at, left < 8 ? left : 8));
  a ^= bytes.size();
  b ^= bytes.size();
  a += b;
  b += a;
  return fmix64(a) + fmix64(b);
}

// multiplicative_hash(), decoding one code point at a time.
std::uint64_t of_code_points(std::string_view utf8) {
  if (utf8.empty()) return 0;
  std::uint64_t hash = std::uint64_t{decode_utf8(utf8, 0).code_point} << 7, count = 0;
  for (std::size_t at = 0; at < utf8.size(); ++count) {
    const DecodedPoint point = decode_utf8(utf8, at);
    hash = hash * 1000003 ^ point.code_point;
    at += point.length;
  }
  return hash ^ count;
}

}  // namespace

std::uint64_t term_hash(TermHash method, std::string_view bytes) noexcept {
  switch (method) {
    case TermHash::xxh3:
      break;
    case TermHash::murmur:
      return murmur3(bytes);
    case TermHash::fnv1a: {
      std::uint64_t hash = 0xcbf29ce484222325ULL;
      for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
      return hash;
    }
    case TermHash::times33: {
      std::uint64_t hash = 5381;
      for (const char c : bytes) hash = hash * 33 + static_cast<unsigned char>(c);
      return hash;
    }
    case TermHash::multiplicative:
      return multiplicative_hash(
          std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    case TermHash::codepoint:
      return of_code_points(bytes);
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::span<const TermHashName> term_hash_names() noexcept { return kHashNames; }

}  // namespace leitong
