#include "corpus/formats/document_format.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/html_text.hpp"

namespace leitong {
namespace {

class HtmlPage {
 public:
  static std::string_view declared(std::string_view bytes) { return declared_charset(bytes); }
  std::string read(std::string_view utf8, const FieldNames& names, std::string_view& text) {
    if (text_.capacity() > kKeptDocument) text_ = {};
    std::string problem = html_to_text(utf8, text_, names.html);
    text = text_;
    return problem;
  }

 private:
  std::string text_;
};

class HtmlFormat final : public DocumentFormat<HtmlPage> {
 public:
  HtmlFormat() : DocumentFormat("html", {".html", ".htm", ".xhtml"}) {}
  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    const std::size_t begin = beginning.bytes.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && beginning.bytes[begin] == '<';
  }
};

}  // namespace

const RecordFormat& html_format() {
  static const HtmlFormat format;
  return format;
}

}  // namespace leitong
