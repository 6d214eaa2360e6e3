#include "corpus/byte_format.hpp"
#include "corpus/field_appender.hpp"
#include "corpus/format_cutter.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/json_record.hpp"
#include "corpus/json_sequence.hpp"

namespace leitong {
namespace {

class JsonFields {
 public:
  explicit JsonFields(const FieldNames& names) : reader_(names) {}
  void read(const Source& /*source*/, std::string_view record, RecordFields& fields) {
    reader_.read(record, fields);
  }
  std::vector<std::string> field_names(std::string_view record, std::string_view path) {
    return reader_.field_names(record, path);
  }
  void append_texts(std::vector<TextToken>& tokens) const { reader_.append_texts(tokens); }
  static std::string_view trim(const Source& source, std::string_view piece) {
    const bool is_sequence = source.head != nullptr && source.head->is_scattered;
    return is_sequence ? without_separators(piece) : without_line_end(piece);
  }

 private:
  JsonRecordReader reader_;
};

class JsonlFormat final : public ByteFormat {
 public:
  JsonlFormat() : ByteFormat({"jsonl", {".jsonl", ".ndjson", ".json"}, false}) {}

  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    const std::size_t begin = beginning.bytes.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos &&
           (beginning.bytes[begin] == '{' || is_json_sequence(beginning.bytes));
  }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<ByteParser<JsonFields>>(access);
  }
  [[nodiscard]] std::unique_ptr<TextCutter> new_cutter(const InputAccess& access) const override {
    return std::make_unique<FormatCutter<JsonFields>>(access.names);
  }
  [[nodiscard]] std::unique_ptr<FieldAppender> new_appender(
      const std::vector<AddedField>& fields) const override {
    return make_json_appender(fields);
  }

 private:
  Result<std::unique_ptr<SourceHead>> read_head(std::string_view first_bytes,
                                                const FieldNames& /*names*/) const override {
    if (!is_json_sequence(first_bytes)) return nullptr;
    auto head = std::make_unique<SourceHead>();
    head->is_scattered = true;
    return head;
  }
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* head) const override {
    if (head != nullptr && head->is_scattered) return std::make_unique<JsonSequenceScanner>();
    return make_line_scanner();
  }
};

}  // namespace

const RecordFormat& jsonl_format() {
  static const JsonlFormat format;
  return format;
}

}  // namespace leitong
