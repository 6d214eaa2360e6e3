#include "base/try.hpp"
#include "corpus/csv_record.hpp"
#include "corpus/csv_scanner.hpp"
#include "corpus/format_cutter.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/formats/table_format.hpp"

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

std::string_view header_of(const Source& source) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::string_view header = source.head == nullptr ? std::string_view() : source.head->preamble;
  if (header.starts_with(kMark)) header.remove_prefix(kMark.size());
  return without_line_end(header);
}

}  // namespace

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
