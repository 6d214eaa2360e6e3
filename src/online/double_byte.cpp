#include "online/double_byte.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/utf8.hpp"

namespace leitong::online {
namespace {

/// Code points that have numbers, one after another.
struct Range {
  char32_t first;
  std::uint32_t count;
};
// The first one: Chinese, with its punctuation and kana.
constexpr std::array<Range, 4> kRanges = {
    {{0x3000, 0x7000}, {0xFF00, 0x100}, {0x2000, 0x100}, {0x80, 0x780}}};
constexpr std::uint32_t kFirst = 0x8000;
constexpr unsigned char kEscape = 0xFF;

std::optional<std::uint32_t> number_of(char32_t code_point) noexcept {
  std::uint32_t before = 0;
  for (const Range& range : kRanges) {
    if (code_point - range.first < range.count) return before + (code_point - range.first);
    before += range.count;
  }
  return std::nullopt;
}

std::optional<char32_t> code_point_of(std::uint32_t number) noexcept {
  for (const Range& range : kRanges) {
    if (number < range.count) return range.first + number;
    number -= range.count;
  }
  return std::nullopt;
}

std::uint64_t eight_bytes(const char* at) noexcept {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

constexpr std::uint64_t kNotAscii = 0x8080808080808080;

}  // namespace

void to_double_byte(std::string_view text, PodVector<char>& code) {
  code.resize_for_overwrite(2 * text.size());
  char* out = code.data();
  const auto put = [&](std::uint32_t number) {
    *out++ = static_cast<char>((kFirst + number) >> 8);
    *out++ = static_cast<char>(number);
  };
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t at = 0; at < text.size();) {
    // Nearly all is one of these two.
    if (byte(at) < 0x80) {
      if (at + 8 <= text.size() && (eight_bytes(&text[at]) & kNotAscii) == 0) {
        std::memcpy(out, &text[at], 8);
        out += 8;
        at += 8;
      } else {
        *out++ = text[at++];
      }
      continue;
    }
    if (at + 3 <= text.size() && byte(at) >> 4 == 0xE && byte(at + 1) >> 6 == 2 && byte(at + 2) >> 6 == 2) {
      const std::uint32_t number =
          ((byte(at) & 0xFu) << 12 | (byte(at + 1) & 0x3Fu) << 6 | (byte(at + 2) & 0x3Fu)) - kRanges[0].first;
      if (number < kRanges[0].count) {
        put(number);
        at += 3;
        continue;
      }
    }
    const DecodedPoint point = decode_utf8(text, at);
    if (const auto number = point.valid ? number_of(point.code_point) : std::nullopt) {
      put(*number);
      at += point.length;
    } else {
      *out++ = static_cast<char>(kEscape);
      *out++ = text[at++];
    }
  }
  code.resize_for_overwrite(static_cast<std::size_t>(out - code.data()));
}

bool from_double_byte(std::string_view code, std::size_t size, std::string& text) {
  constexpr std::size_t kMost = 4;  // bytes of a code point
  text.resize(size + kMost);
  char* out = text.data();
  const char* const end = out + size;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(code[i]); };
  std::size_t at = 0;
  while (at < code.size() && out < end) {
    if (byte(at) < 0x80) {
      *out++ = code[at++];
      continue;
    }
    if (at + 2 > code.size()) return false;
    if (byte(at) == kEscape) {
      *out++ = code[at + 1];
    } else if (const auto point = code_point_of((byte(at) * 256u + byte(at + 1)) - kFirst)) {
      out = encode_utf8(*point, out);
    } else {
      return false;
    }
    at += 2;
  }
  text.resize(size);
  return at == code.size() && out == end;
}

}  // namespace leitong::online
