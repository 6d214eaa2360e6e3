// One code point at a time out of bytes that may be anything: for texts that are shown, not for the fast
// path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leitong {

/// What stands at one place of a text.
struct DecodedPoint {
  char32_t code_point = 0xFFFD;  ///< the replacement character where the bytes aren't UTF-8
  std::uint32_t length = 1;      ///< bytes taken, at least one
  bool valid = false;
};

/// Decodes the code point that begins at `at`. Overlong forms, surrogates and what lies above U+10FFFF are
/// invalid; an invalid sequence takes its longest well-formed beginning (The Unicode Standard 15,
/// section 3.9, "U+FFFD substitution of maximal subparts"). REQUIRES: at < text.size().
[[nodiscard]] constexpr DecodedPoint decode_utf8(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};

  const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // Only the second byte's range depends on the lead byte: it is what shuts out overlong forms, surrogates
  // and too large values.
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

}  // namespace leitong
