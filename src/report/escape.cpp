#include "report/escape.hpp"

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

void append_hex4(char32_t value, std::string& out) {
  for (int shift = 12; shift >= 0; shift -= 4) out += kHexDigits[value >> shift & 15];
}

void append_utf8(char32_t code_point, std::string& out) {
  char bytes[4];
  out.append(bytes, encode_utf8(code_point, bytes));
}

/// Marks, embeddings, overrides and isolates: they change the direction of the surrounding text.
constexpr bool is_direction_control(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// C0 without tab and line feed, DEL, and C1.
constexpr bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0);
}

/// Appends a visible replacement. The Control Pictures block has one for each C0 character and for DEL.
void append_visible(char32_t c, std::string& out) {
  if (c < 0x20) {
    append_utf8(0x2400 + c, out);
  } else if (c == 0x7F) {
    append_utf8(0x2421, out);
  } else {
    out += "[U+";
    append_hex4(c, out);
    out += ']';
  }
}

/// The loop that HTML and terminal share: line ends become one line feed, active characters become visible,
/// `plain` writes the rest.
template <class Plain>
void append_shown(std::string_view text, std::string& out, const Plain& plain) {
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, point.length);
    at += point.length;
    if (!point.valid) {
      append_utf8(0xFFFD, out);
    } else if (point.code_point == '\r') {
      if (at == text.size() || text[at] != '\n') out += '\n';
    } else if (is_control(point.code_point) || is_direction_control(point.code_point)) {
      append_visible(point.code_point, out);
    } else {
      plain(bytes, out);
    }
  }
}

}  // namespace

void append_html_escaped(std::string_view text, std::string& out) {
  out.reserve(out.size() + text.size());
  append_shown(text, out, [](std::string_view bytes, std::string& to) {
    switch (bytes[0]) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      case '\'':
        to += "&#39;";
        break;
      default:
        to += bytes;
    }
  });
}

void append_json_in_script(std::string_view text, std::string& out) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, point.length);
    at += point.length;
    const char32_t c = point.code_point;
    if (!point.valid) {
      append_utf8(0xFFFD, out);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029 || is_control(c) ||
               is_direction_control(c)) {
      out += "\\u";
      append_hex4(c, out);
    } else {
      out += bytes;
    }
  }
  out += '"';
}

void append_terminal_safe(std::string_view text, std::string& out) {
  out.reserve(out.size() + text.size());
  append_shown(text, out, [](std::string_view bytes, std::string& to) { to += bytes; });
}

}  // namespace leitong
