// The fields of one CSV or TSV record.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/csv_dialect.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/text_cut.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The header of a CSV or TSV file.
struct CsvLayout {
  static constexpr std::size_t kNoColumn = std::string_view::npos;
  CsvDialect dialect;
  std::size_t columns = 0;
  std::vector<std::size_t>
      column_of;  ///< by index in FieldNames::names; kNoColumn if the file has no such column
};

/// Splits records as RFC 4180 says: a field in double quotes may hold delimiters, line ends and doubled
/// quotes. A quote in a field that does not begin with one is an ordinary character, and so is every quote if
/// the dialect has none.
class CsvRecordReader {
 public:
  /// `record` has no line end.
  void read(const CsvLayout& layout, const FieldNames& names, std::string_view record, RecordFields& fields);

  /// Appends the texts that make RecordFields::text, in their order, of the record that was read last and had
  /// no problem.
  void append_texts(const CsvLayout& layout, const FieldNames& names, std::vector<TextToken>& tokens) const;

  /// Reads a header. A missing text column is an error, and so is a missing id column, unless its name is the
  /// default "id".
  Result<CsvLayout> read_header(std::string_view header, CsvDialect dialect, const FieldNames& names);
  /// The names of a header's columns. Fails with corrupt if its quotes are broken.
  Result<std::vector<std::string>> header_names(std::string_view header, CsvDialect dialect);

  /// Divides a record into its columns; returns what is wrong, and in `fault` the byte where, or an empty
  /// string.
  [[nodiscard]] std::string split(std::string_view record, CsvDialect dialect, std::size_t& fault);
  /// The columns in quotes of the record that was divided last.
  [[nodiscard]] std::size_t quoted_cells() const noexcept;

 private:
  struct Cell {
    std::string_view inside;
    bool has_doubled_quotes;
    bool quoted = false;
  };
  std::string_view value(std::size_t column, std::string& buffer) const;
  void blame_bytes(std::size_t column, std::string_view record, RecordFields& fields) const;

  std::vector<Cell> cells_;
  std::vector<std::string> buffers_;
  std::string joined_;
};

}  // namespace leitong
