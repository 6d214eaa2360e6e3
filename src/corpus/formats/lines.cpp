#include "corpus/byte_format.hpp"
#include "corpus/format_cutter.hpp"
#include "corpus/formats/formats.hpp"

namespace leitong {
namespace {

class LineFields {
 public:
  explicit LineFields(const FieldNames& names) : names_(names) {}
  void read(const Source& /*source*/, std::string_view record, RecordFields& fields) {
    fields.clear();
    fields.text = text_ = record;
    fields.fault = check_text(record, false, names_, fields);
  }
  void append_texts(std::vector<TextToken>& tokens) const { tokens.push_back({text_, TextForm::plain}); }
  static std::string_view trim(const Source& /*source*/, std::string_view piece) {
    return without_line_end(piece);
  }

 private:
  const FieldNames& names_;
  std::string_view text_;
};

class LinesFormat final : public ByteFormat {
 public:
  LinesFormat() : ByteFormat({"lines", {}, false}) {}

  [[nodiscard]] bool claims(const Beginning& beginning) const override { return beginning.is_stream; }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<ByteParser<LineFields>>(access);
  }
  [[nodiscard]] std::unique_ptr<TextCutter> new_cutter(const InputAccess& access) const override {
    return std::make_unique<FormatCutter<LineFields>>(access.names);
  }

 private:
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* /*head*/) const override {
    return make_line_scanner();
  }
};

}  // namespace

const RecordFormat& lines_format() {
  static const LinesFormat format;
  return format;
}

}  // namespace leitong
