// Random texts that reach every path of the folding kernels.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace leitong {

inline void append_utf8(char32_t c, std::string& text) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 63));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 63));
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  }
}

/// Runs of one kind of character after another: ASCII words, long ASCII, Han, kana, hangul, jamo, Latin with
/// accents and loose marks, Cyrillic, Arabic, Devanagari, Thai, full width, emoji, invisible characters, any
/// code point at all.
inline std::string random_text(std::mt19937& random, std::size_t runs) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kRanges[] = {
      {'a', 'z'},         {'A', 'Z'},         {'0', '9'},           {0, 0x7F},          {0x20, 0x40},
      {0xA0, 0x17F},      {0x2B0, 0x36F},     {0x300, 0x34F},       {0x370, 0x52F},     {0x590, 0x6FF},
      {0x900, 0x97F},     {0xE01, 0xE5B},     {0x1100, 0x11FF},     {0x1E00, 0x1FFF},   {0x2000, 0x206F},
      {0x2100, 0x214F},   {0x3000, 0x30FF},   {0x3131, 0x318E},     {0x3200, 0x33FF},   {0x4E00, 0x9FFF},
      {0xAC00, 0xD7A3},   {0xE000, 0xE0FF},   {0xF900, 0xFAFF},     {0xFB50, 0xFDFF},   {0xFE00, 0xFE0F},
      {0xFF00, 0xFFEF},   {0x1D400, 0x1D7FF}, {0x1F300, 0x1FAFF},   {0x20000, 0x2FA1D}, {0x30000, 0x40010},
      {0xDFFF0, 0xE01FF}, {0xF0000, 0xF0010}, {0x10FF00, 0x10FFFF}, {0xA0, 0xD7FF},     {0xE000, 0x10FFFF}};
  std::string text;
  for (std::size_t run = 0; run < runs; ++run) {
    const Range range = kRanges[random() % std::size(kRanges)];
    std::size_t length = random() % 8 == 0 ? random() % 150 : 1 + random() % 9;
    // Half of the runs are ASCII words, so that blocks of 64 bytes are crossed at every place.
    if (random() % 2) {
      for (std::size_t i = 0; i < length; ++i) text += "etaoinETAOIN019 .,-_\n"[random() % 21];
      continue;
    }
    for (; length > 0; --length) append_utf8(range.first + random() % (range.last - range.first + 1), text);
  }
  return text;
}

}  // namespace leitong
