#include "base/json_string.hpp"

#include "base/utf8.hpp"

namespace leitong {
namespace {

void append_escaped(char c, std::string& out) {
  constexpr std::string_view kNamed = "\b\f\n\r\t\"\\", kNames = "bfnrt\"\\", kDigits = "0123456789abcdef";
  out += '\\';
  if (const std::size_t i = kNamed.find(c); i != kNamed.npos) {
    out += kNames[i];
    return;
  }
  out += "u00";
  out += kDigits[static_cast<std::size_t>(c) >> 4];
  out += kDigits[static_cast<std::size_t>(c) & 15];
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t written = 0;  // unchanged bytes are written in one piece
  const auto write_to = [&](std::size_t at) { out.append(text, written, at - written); };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool escaped = static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
    const DecodedPoint point = decode_utf8(text, at);
    if (escaped || !point.valid) {
      write_to(at);
      written = at + point.length;
      escaped ? append_escaped(c, out) : void(out += "\xEF\xBF\xBD");
    }
    at += point.length;
  }
  write_to(text.size());
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

}  // namespace leitong
