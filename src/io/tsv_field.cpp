#include "io/tsv_field.hpp"

namespace leitong {

void append_tsv_field(std::string_view field, std::string& out) {
  for (char c : field) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
}

void append_unescaped_tsv_field(std::string_view escaped, std::string& out) {
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const char next = escaped[i] == '\\' && i + 1 < escaped.size() ? escaped[i + 1] : '\0';
    const std::size_t known = next == '\0' ? std::string_view::npos : std::string_view("tnr\\").find(next);
    if (known == std::string_view::npos) {
      out += escaped[i];
    } else {
      out += "\t\n\r\\"[known];
      ++i;
    }
  }
}

}  // namespace leitong
