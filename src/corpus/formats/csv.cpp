#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "corpus/csv_record.hpp"
#include "corpus/csv_scanner.hpp"
#include "corpus/format_cutter.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/formats/table_format.hpp"
#include "corpus/padded_bytes.hpp"

namespace leitong {
namespace {

struct TableHead final : SourceHead {
  CsvLayout layout;
};

class TableFields {
 public:
  explicit TableFields(const FieldNames& names) : names_(names) {}
  void read(const Source& source, std::string_view record, RecordFields& fields) {
    layout_ = &static_cast<const TableHead&>(*source.head).layout;
    reader_.read(*layout_, names_, record, fields);
  }
  void append_texts(std::vector<TextToken>& tokens) const { reader_.append_texts(*layout_, names_, tokens); }
  static std::string_view trim(const Source& /*source*/, std::string_view piece) {
    return without_line_end(piece);
  }

 private:
  const FieldNames& names_;
  const CsvLayout* layout_ = nullptr;  // of the last record
  CsvRecordReader reader_;
};

constexpr std::string_view kMark = "\xef\xbb\xbf";

std::string_view header_of(const Source& source) {
  std::string_view header = source.head == nullptr ? std::string_view() : source.head->preamble;
  if (header.starts_with(kMark)) header.remove_prefix(kMark.size());
  return without_line_end(header);
}

class RowAppender final : public FieldAppender {
 public:
  explicit RowAppender(const std::vector<AddedField>& fields) {
    for (const AddedField& field : fields) names_.push_back(field.name);
  }

  Result<std::string> head(const Source& source) override {
    const std::string_view preamble = source.head->preamble, header = header_of(source);
    const CsvDialect dialect = dialect_of(source);
    LEITONG_ASSIGN(const std::vector<std::string> there, CsvRecordReader().header_names(header, dialect));
    const std::size_t end = preamble.find(header) + header.size();
    out_.assign(preamble.substr(0, end));
    for (const std::string& name : names_) {
      if (std::ranges::find(there, name) != there.end()) return has_field_already("column", name);
      out_ += dialect.delimiter;
      LEITONG_TRY(append_text(name, dialect));
    }
    return out_ + std::string(preamble.substr(end));
  }

  Result<std::string_view> append(const Source& source, std::string_view record,
                                  std::span<const AddedValue> values) override {
    const CsvDialect dialect = dialect_of(source);
    out_.assign(record);
    for (const AddedValue& value : values) {
      out_ += dialect.delimiter;
      if (const auto* text = std::get_if<std::string_view>(&value))
        LEITONG_TRY(append_text(*text, dialect));
      else
        append_number(value, out_);
    }
    const std::size_t size = out_.size();
    out_.append(kRecordPadding, '\0');
    return std::string_view(out_).substr(0, size);
  }

 private:
  static CsvDialect dialect_of(const Source& source) {
    return static_cast<const TableHead&>(*source.head).layout.dialect;
  }

  Result<void> append_text(std::string_view text, CsvDialect dialect) {
    const bool plain =
        text.find_first_of(std::string("\r\n") + dialect.delimiter) == std::string_view::npos &&
        !(dialect.quotes && text.find('"') != std::string_view::npos);
    if (plain) {
      out_ += text;
      return {};
    }
    if (!dialect.quotes)
      return fail(ErrorCode::unsupported,
                  fmt::format("\"{}\" can't be written into a row: it has a delimiter or a line end, and the "
                              "table has no quotes; name another format for the ids, such as JSONL",
                              text));
    append_quoted(text, out_);
    return {};
  }

  std::vector<std::string> names_;
  std::string out_;
};

}  // namespace

std::unique_ptr<FieldAppender> TableFormat::new_appender(const std::vector<AddedField>& fields) const {
  return std::make_unique<RowAppender>(fields);
}

std::unique_ptr<RecordParser> TableFormat::new_parser(const InputAccess& access) const {
  return std::make_unique<ByteParser<TableFields>>(access);
}

std::unique_ptr<TextCutter> TableFormat::new_cutter(const InputAccess& access) const {
  return std::make_unique<FormatCutter<TableFields>>(access.names);
}

std::string TableFormat::mismatch(const Source& a, const Source& b) const {
  if (header_of(a) != header_of(b))
    return "their headers differ; give all files the same columns in the same order";
  const auto dialect = [](const Source& source) {
    return source.head == nullptr ? CsvDialect{} : static_cast<const TableHead&>(*source.head).layout.dialect;
  };
  if (a.head == nullptr || b.head == nullptr || dialect(a) == dialect(b)) return {};
  return "quotes enclose values in one of them and not in the other; set the quote for all";
}

Result<std::unique_ptr<SourceHead>> TableFormat::read_head(std::string_view first_bytes,
                                                           const FieldNames& names) const {
  auto head = std::make_unique<TableHead>();
  head->is_table = true;
  const CsvDialect dialect = recognise_dialect(first_bytes, delimiter_, names);
  std::vector<std::uint32_t> ends;
  CsvScanner(dialect, 0).whole_records(first_bytes, true, ends);
  const std::string_view header = first_bytes.substr(0, ends.front());
  LEITONG_ASSIGN(head->layout, CsvRecordReader().read_header(without_line_end(header), dialect, names));
  head->preamble = header;
  return head;
}

std::unique_ptr<RecordScanner> TableFormat::new_scanner(const SourceHead* head) const {
  const CsvLayout layout = head == nullptr ? CsvLayout() : static_cast<const TableHead&>(*head).layout;
  return std::make_unique<CsvScanner>(layout.dialect, layout.columns);
}

const RecordFormat& csv_format() {
  static const TableFormat format("csv", {".csv"}, ',');
  return format;
}

const RecordFormat& tsv_format() {
  static const TableFormat format("tsv", {".tsv"}, '\t');
  return format;
}

}  // namespace leitong
