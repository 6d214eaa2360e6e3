#include "corpus/unescape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

/// Values of hexadecimal digits; other characters have bits above the fourth.
constexpr std::array<unsigned char, 256> kHexValue = [] {
  std::array<unsigned char, 256> table{};
  table.fill(0xff);
  for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<unsigned char>(i);
  for (unsigned i = 0; i < 6; ++i) table['a' + i] = table['A' + i] = static_cast<unsigned char>(10 + i);
  return table;
}();

bool hex4(std::string_view digits, std::size_t at, unsigned& value) {
  if (digits.size() < at + 4) return false;
  const auto digit = [&](std::size_t i) -> unsigned {
    return kHexValue[static_cast<unsigned char>(digits[at + i])];
  };
  const unsigned a = digit(0), b = digit(1), c = digit(2), d = digit(3);
  value = a << 12 | b << 8 | c << 4 | d;
  return (a | b | c | d) < 16;
}

/// The character for a backslash and this letter; 0 if there is none.
char simple_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

constexpr const char* kBrokenEscape = "broken JSON: a backslash is followed by no valid escape";
constexpr const char* kLoneSurrogate = "broken JSON: a lone surrogate (half of a \\u pair)";

}  // namespace

const char* unescape_json(std::string_view inside, std::string& out) {
  out.resize(inside.size());  // no escape is shorter than its character
  char* to = out.data();
  std::size_t at = 0;
  while (at < inside.size()) {
    const void* hit = std::memchr(inside.data() + at, '\\', inside.size() - at);
    const std::size_t plain =
        hit == nullptr ? inside.size() - at
                       : static_cast<std::size_t>(static_cast<const char*>(hit) - inside.data()) - at;
    std::memcpy(to, inside.data() + at, plain);
    to += plain;
    at += plain;
    while (at < inside.size() && inside[at] == '\\') {  // escapes come in rows if all text is escaped
      if (at + 1 == inside.size()) return kBrokenEscape;
      if (inside[at + 1] != 'u') {
        const char c = simple_escape(inside[at + 1]);
        if (c == '\0') return kBrokenEscape;
        *to++ = c;
        at += 2;
        continue;
      }
      unsigned point = 0;
      if (!hex4(inside, at + 2, point)) return kBrokenEscape;
      at += 6;
      if (point >= 0xd800 && point < 0xe000) {
        unsigned low = 0;
        if (point >= 0xdc00 || inside.substr(at, 2) != "\\u" || !hex4(inside, at + 2, low) || low < 0xdc00 ||
            low >= 0xe000)
          return kLoneSurrogate;
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
      to = encode_utf8(point, to);
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  return nullptr;
}

namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
constexpr std::size_t kLongestName = 10;

/// Appends what a reference means; false if it is none.
bool append_reference(std::string_view name, std::string& out) {
  for (const auto& [entity, character] : kEntities)
    if (name == entity) {
      out += character;
      return true;
    }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x') || name.starts_with('X');
  if (is_hex) name.remove_prefix(1);
  unsigned point = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), point, is_hex ? 16 : 10);
  const bool is_whole = error == std::errc{} && end == name.data() + name.size();
  if (!is_whole || point == 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
  std::array<char, 4> utf8{};
  out.append(utf8.data(), encode_utf8(static_cast<char32_t>(point), utf8.data()));
  return true;
}

}  // namespace

std::string_view unescape_xml(std::string_view raw, std::string& buffer) {
  std::size_t mark = raw.find('&');
  if (mark == std::string_view::npos) return raw;
  buffer.clear();
  std::size_t at = 0;
  for (; mark != std::string_view::npos; mark = raw.find('&', at)) {
    buffer += raw.substr(at, mark - at);
    const std::size_t end = raw.substr(0, std::min(raw.size(), mark + kLongestName + 2)).find(';', mark);
    at = mark + 1;
    if (end != std::string_view::npos && append_reference(raw.substr(at, end - at), buffer))
      at = end + 1;
    else
      buffer += '&';
  }
  buffer += raw.substr(at);
  return buffer;
}

}  // namespace leitong
