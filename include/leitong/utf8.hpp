// Decodes and encodes single code points, for display and escapes. It is too slow for whole corpora.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leitong {

/// The code point at a position of a text.
struct DecodedPoint {
  char32_t code_point = 0xFFFD;  ///< the replacement character if the bytes are not UTF-8
  std::uint32_t length = 1;      ///< its bytes, at least one
  bool valid = false;            ///< are the bytes UTF-8?
};

/// Decodes the code point that begins at `at`. Overlong forms, surrogates and values above U+10FFFF are
/// invalid; an invalid sequence takes its longest well-formed beginning (The Unicode Standard 15, section
/// 3.9, "U+FFFD substitution of maximal subparts"). REQUIRES: at < text.size().
[[nodiscard]] constexpr DecodedPoint decode_utf8(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};

  const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // Only the second byte's range depends on the lead byte: it excludes overlong forms, surrogates and values
  // that are too large.
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code_point = lead & (0x7F >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return {0xFFFD, i, false};
    code_point = code_point << 6 | (byte(at + i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code_point, length, true};
}

/// Is every code point of the text valid for decode_utf8()?
[[nodiscard]] constexpr bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    if (!point.valid) return false;
    at += point.length;
  }
  return true;
}

/// Does a byte of valid UTF-8 continue the code point before it?
[[nodiscard]] constexpr bool continues_code_point(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// The number of code points of a text, which is valid UTF-8.
[[nodiscard]] constexpr std::size_t count_characters(std::string_view utf8) noexcept {
  std::size_t characters = 0;
  for (const char byte : utf8) characters += continues_code_point(byte) ? 0 : 1;
  return characters;
}

/// Writes the bytes of a code point, up to four, and returns their end. REQUIRES: at most U+10FFFF.
constexpr char* encode_utf8(char32_t code_point, char* out) noexcept {
  const auto trail = [&](int shift) { *out++ = static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    *out++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *out++ = static_cast<char>(0xC0 | code_point >> 6);
    trail(0);
  } else if (code_point < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code_point >> 12);
    trail(6);
    trail(0);
  } else {
    *out++ = static_cast<char>(0xF0 | code_point >> 18);
    trail(12);
    trail(6);
    trail(0);
  }
  return out;
}

}  // namespace leitong
