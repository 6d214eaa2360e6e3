#include "text/segment/word_text.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/utf8.hpp"

namespace leitong {

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
    if (u_isalnum(static_cast<UChar32>(point.code_point))) return true;
    at += point.length;
  }
  return false;
}

}  // namespace leitong
