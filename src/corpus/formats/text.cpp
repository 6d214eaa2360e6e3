#include "corpus/formats/document_format.hpp"
#include "corpus/formats/formats.hpp"

namespace leitong {
namespace {

struct PlainText {
  static std::string_view declared(std::string_view /*bytes*/) { return {}; }
  static std::string read(std::string_view utf8, const FieldNames& /*names*/, std::string_view& text) {
    text = utf8;
    return {};
  }
};

class TextFormat final : public DocumentFormat<PlainText> {
 public:
  TextFormat() : DocumentFormat("text", {".txt", ".text", ".md", ".markdown"}) {}
  [[nodiscard]] bool claims(const Beginning& /*beginning*/) const override { return true; }
};

}  // namespace

const RecordFormat& text_format() {
  static const TextFormat format;
  return format;
}

}  // namespace leitong
