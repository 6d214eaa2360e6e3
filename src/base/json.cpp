#include "leitong/json.hpp"

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

/// Does an ASCII character stand for itself?
constexpr bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

/// Writes the escape of another one, up to 6 bytes, and returns its end.
char* write_escape(char* to, char c) {
  constexpr std::string_view kNamed = "\b\f\n\r\t\"\\", kNames = "bfnrt\"\\", kDigits = "0123456789abcdef";
  *to++ = '\\';
  if (const std::size_t i = kNamed.find(c); i != kNamed.npos) {
    *to++ = kNames[i];
    return to;
  }
  for (const char digit : {'u', '0', '0', kDigits[static_cast<std::size_t>(c) >> 4], kDigits[c & 15]})
    *to++ = digit;
  return to;
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t written = 0;  // unchanged bytes are written in one piece
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    if (!point.valid || (point.code_point < 0x80 && !is_plain(text[at]))) {
      out.append(text, written, at - written);
      written = at + point.length;
      char escape[6];
      if (point.valid)
        out.append(escape, write_escape(escape, text[at]));
      else
        out += "\xEF\xBF\xBD";
    }
    at += point.length;
  }
  out.append(text, written);
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

char* write_json_string(char* to, std::string_view utf8) {
  *to++ = '"';
  for (const char c : utf8) {
    if (is_plain(c)) [[likely]]
      *to++ = c;
    else
      to = write_escape(to, c);
  }
  *to++ = '"';
  return to;
}

}  // namespace leitong
