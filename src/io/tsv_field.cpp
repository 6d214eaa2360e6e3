#include "io/tsv_field.hpp"

#include <charconv>
#include <cstddef>
#include <optional>

namespace leitong {
namespace {

constexpr std::string_view kEscaped = "\t\n\r\\", kLetters = "tnr\\";
constexpr std::size_t kHexEscape = 4;  // bytes of \xHH

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }

/// The control character of a leading \xHH.
std::optional<char> hex_escaped(std::string_view text) {
  if (text.size() < kHexEscape || text[1] != 'x') return std::nullopt;
  unsigned char byte = 0;
  const char* const end = text.data() + kHexEscape;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, byte, 16);
  if (error != std::errc() || stop != end || !is_control(byte)) return std::nullopt;
  return static_cast<char>(byte);
}

}  // namespace

void append_tsv_field(std::string_view field, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : field) {
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t known = kEscaped.find(c); known != std::string_view::npos) {
      out += {'\\', kLetters[known]};
    } else if (is_control(byte)) {
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      out += c;
    }
  }
}

void append_unescaped_tsv_field(std::string_view escaped, std::string& out) {
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const std::string_view rest = escaped.substr(i);
    const std::size_t known =
        rest[0] == '\\' && rest.size() > 1 ? kLetters.find(rest[1]) : std::string_view::npos;
    if (known != std::string_view::npos) {
      out += kEscaped[known];
      ++i;
    } else if (const std::optional<char> control = rest[0] == '\\' ? hex_escaped(rest) : std::nullopt) {
      out += *control;
      i += kHexEscape - 1;
    } else {
      out += rest[0];
    }
  }
}

}  // namespace leitong
