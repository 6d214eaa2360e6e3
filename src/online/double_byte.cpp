#include "online/double_byte.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "leitong/utf8.hpp"

namespace leitong::online {
namespace {

/// A range of code points with consecutive numbers.
struct Range {
  std::uint32_t first, count;
};
// The first range: Chinese, with its punctuation and kana.
constexpr std::array<Range, 4> kRanges = {
    {{0x3000, 0x7000}, {0xFF00, 0x100}, {0x2000, 0x100}, {0x80, 0x780}}};
constexpr std::uint32_t kFirst = 0x8000, kTablePage = 0x100, kNone = UINT32_MAX;
constexpr unsigned char kEscape = 0xFF;

// For each page of 256 code points: the number that is added to a code point to get its two bytes; kNone for
// a page without a code. Page 0 begins at 0x80.
constexpr auto kToCode = [] {
  std::array<std::uint32_t, 0x10000 / kTablePage> added{};
  added.fill(kNone);
  std::uint32_t number = kFirst;
  for (const Range& range : kRanges) {
    for (std::uint32_t point = range.first; point < range.first + range.count; ++point)
      added[point / kTablePage] = number - range.first;
    number += range.count;
  }
  return added;
}();

// The number that is subtracted to get the code point, by the upper byte.
constexpr auto kFromCode = [] {
  std::array<std::uint32_t, 0x100> added{};
  added.fill(kNone);
  std::uint32_t number = kFirst;
  for (const Range& range : kRanges) {
    for (std::uint32_t i = 0; i < range.count; ++i) added[(number + i) / kTablePage] = range.first - number;
    number += range.count;
  }
  return added;
}();

constexpr std::uint64_t kNotAscii = 0x8080808080808080;

bool are_ascii(const char* eight) noexcept {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, eight, sizeof bytes);
  return (bytes & kNotAscii) == 0;
}

}  // namespace

void to_double_byte(std::string_view text, PodVector<char>& code) {
  code.resize_for_overwrite(2 * text.size());
  char* out = code.data();
  const char *at = text.data(), *const end = at + text.size();
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const auto trails = [&](std::size_t i) { return byte(i) >> 6 == 2; };
  while (at < end) {
    if (byte(0) < 0x80) {
      *out++ = *at++;
      for (; end - at >= 8 && are_ascii(at); at += 8, out += 8) std::memcpy(out, at, 8);
      continue;
    }
    std::uint32_t point = 0;  // a code point in its shortest form that has a code; otherwise 0
    std::size_t length = 1;
    if (byte(0) >> 4 == 0xE && end - at >= 3 && trails(1) && trails(2)) {
      point = (byte(0) & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
      length = point >= 0x800 ? 3 : 1;
    } else if (byte(0) >= 0xC2 && byte(0) < 0xE0 && end - at >= 2 && trails(1)) {
      point = (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
      length = 2;
    }
    if (const std::uint32_t added = kToCode[point / kTablePage]; length > 1 && added != kNone) {
      *out++ = static_cast<char>((point + added) / kTablePage);
      *out++ = static_cast<char>(point + added);
      at += length;
    } else {
      *out++ = static_cast<char>(kEscape);
      *out++ = *at++;
    }
  }
  code.resize_for_overwrite(static_cast<std::size_t>(out - code.data()));
}

bool from_double_byte(std::string_view code, std::size_t size, std::string& text) {
  constexpr std::size_t kMost = 4;  // the most bytes of a code point
  text.resize(size + kMost);
  char* out = text.data();
  const char* const out_end = out + size;
  const char *at = code.data(), *const end = at + code.size();
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  while (at < end && out < out_end) {
    if (byte(0) < 0x80) {
      *out++ = *at++;
      continue;
    }
    if (end - at < 2) return false;
    if (const std::uint32_t added = kFromCode[byte(0)]; added != kNone)
      out = encode_utf8(byte(0) * kTablePage + byte(1) + added, out);
    else if (byte(0) == kEscape)
      *out++ = at[1];
    else
      return false;
    at += 2;
  }
  text.resize(size);
  return at == end && out == out_end;
}

}  // namespace leitong::online
