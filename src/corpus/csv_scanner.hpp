// Where CSV and TSV records end, whose quoted fields may hold line feeds.
#pragma once

#include "corpus/record_scanner.hpp"

namespace leitong {

/// Follows the quotes as CsvRecordReader does. A record whose quotes are broken (something after a closing
/// quote, none at the end of the source) is taken to end with its first line, and the lines up to the fault
/// are records of one line each: a stray quote costs the line it is on, not what follows. Linear: no byte is
/// looked at more than twice.
class CsvScanner final : public RecordScanner {
 public:
  explicit CsvScanner(char delimiter) : delimiter_(delimiter) {}
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override;
  void begin_record() override { state_ = State::field_start; }
  std::size_t record_end(std::string_view piece) override;

 private:
  enum class State { field_start, unquoted, quoted, quote_in_quoted };
  enum class Found { end, unfinished, broken };
  /// Looks for the end of the record at `at`; on `end` and `broken` sets `at` behind it or to the fault.
  [[nodiscard]] Found scan(std::string_view bytes, bool at_end, std::size_t& at) const;

  char delimiter_;
  std::size_t lines_until_ = 0;  // bytes from the next record on in which every line is a record
  State state_ = State::field_start;
};

}  // namespace leitong
