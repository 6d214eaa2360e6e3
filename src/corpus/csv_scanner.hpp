// Finds the ends of CSV and TSV records, whose quoted fields may hold line feeds.
#pragma once

#include "corpus/csv_dialect.hpp"
#include "corpus/record_scanner.hpp"

namespace leitong {

/// Follows the quotes as CsvRecordReader does. If the quotes of a record are broken (text after a closing
/// quote, or no closing quote at the end of the source), the record ends with its first line, and each line
/// up to the fault is a record: a stray quote damages only its own line. The same holds for quotes that join
/// lines each of which is a whole row of columns divided by tabs, unless the user has said that quotes
/// enclose values. Linear: no byte is read more than three times.
class CsvScanner final : public RecordScanner {
 public:
  /// `columns`: of the header; 0 if they are not known.
  CsvScanner(CsvDialect dialect, std::size_t columns) : dialect_(dialect), columns_(columns) {}
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override;
  void begin_record() override { state_ = State::field_start; }
  std::size_t record_end(std::string_view piece) override;

 private:
  enum class State { field_start, unquoted, quoted, quote_in_quoted };
  enum class Found { end, unfinished, broken };
  /// Finds the end of the record at `at`. For `end` and `broken` sets `at` behind it or to the fault.
  [[nodiscard]] Found scan(std::string_view bytes, bool at_end, std::size_t& at);
  [[nodiscard]] bool lines_are_rows(std::string_view record) const;

  CsvDialect dialect_;
  std::size_t columns_;
  bool has_quotes_ = false;      // the record that scan() has found
  std::size_t lines_until_ = 0;  // bytes from the next record on in which every line is a record
  State state_ = State::field_start;
};

}  // namespace leitong
