#include "corpus/byte_format.hpp"
#include "corpus/charset.hpp"
#include "corpus/foreign_file.hpp"
#include "corpus/formats/document_format.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/office_text.hpp"

namespace leitong {
namespace {

class OfficeFields {
 public:
  explicit OfficeFields(const FieldNames& names) : names_(names) {}

  void read(const Source& /*source*/, std::string_view bytes, RecordFields& fields) {
    fields.clear();
    if (office_kind(bytes).empty()) {
      fields.problem = foreign_by_content(bytes);
      if (fields.problem.empty())
        fields.problem =
            "not a PDF, Word or OpenDocument text; if it is a plain text, say that its kind is text";
      return;
    }
    Result<std::string> text = office_text(bytes, names_.max_body_bytes);
    if (!text) {
      fields.problem = std::move(text).error().message;
      return;
    }
    text_ = *std::move(text);
    fields.text = text_;
    fields.problem = damaged_text(fields.text);
    if (fields.problem.empty()) check_text(fields.text, false, names_, fields);
  }
  static std::string_view trim(const Source& /*source*/, std::string_view piece) { return piece; }

 private:
  const FieldNames& names_;
  std::string text_;
};

class OfficeFormat final : public ByteFormat {
 public:
  OfficeFormat()
      : ByteFormat({.name = "office",
                    .endings = {".pdf", ".docx", ".odt"},
                    .one_document_a_file = true,
                    .is_office = true}) {}
  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    return !office_kind(beginning.bytes).empty();
  }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<ByteParser<OfficeFields>>(access);
  }

 private:
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* /*head*/) const override {
    return make_whole_scanner();
  }
};

}  // namespace

const RecordFormat& office_format() {
  static const OfficeFormat format;
  return format;
}

}  // namespace leitong
