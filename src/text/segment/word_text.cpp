#include "text/segment/word_text.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

bool is_alphanumeric(char32_t c) {
  if (c >= 0x4E00 && c <= 0x9FFF) return true;  // most words begin with such a character
  return u_isalnum(static_cast<UChar32>(c)) != 0;
}

}  // namespace

std::uint64_t word_hash(std::string_view word) noexcept { return XXH3_64bits(word.data(), word.size()); }

std::uint64_t word_prefix(std::string_view word) noexcept {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, word.data(), std::min(word.size(), sizeof bytes));
  return __builtin_bswap64(bytes);
}

bool is_single_character(std::string_view word) noexcept {
  return !word.empty() && decode_utf8(word, 0).length == word.size();
}

bool is_term(std::string_view word) noexcept {
  if (word.empty() || is_single_character(word)) return false;
  for (std::size_t at = 0; at < word.size();) {
    const DecodedPoint point = decode_utf8(word, at);
    if (is_alphanumeric(point.code_point)) return true;
    at += point.length;
  }
  return false;
}

}  // namespace leitong
