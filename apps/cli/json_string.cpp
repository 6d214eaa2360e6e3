#include "json_string.hpp"

#include <fmt/format.h>

#include <iterator>

namespace leitong::cli {

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out.append("\\").push_back(c);
    else if (static_cast<unsigned char>(c) < 0x20)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  out += '"';
}

}  // namespace leitong::cli
