// Finds the ends of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace leitong {

/// Finds the ends of records in bytes that come in pieces. An end is the offset after the record's line feed.
class RecordScanner {
 public:
  static constexpr std::size_t npos = std::string_view::npos;
  virtual ~RecordScanner() = default;

  /// The end of the last whole record in `bytes`, which begin with a record; 0 if there is none. Kinds whose
  /// records may hold line feeds append all ends to `ends`. With `at_end`, the bytes are the last ones of the
  /// source, and the part after the last line feed is a record, too.
  virtual std::size_t whole_records(std::string_view bytes, bool at_end,
                                    std::vector<std::uint32_t>& ends) = 0;

  /// For a record that is too large for one piece: discards what was seen of it.
  virtual void begin_record() = 0;
  /// The end of this record in its next piece, or npos if it continues after it.
  virtual std::size_t record_end(std::string_view piece) = 0;
};

/// Every line feed ends a record.
[[nodiscard]] std::unique_ptr<RecordScanner> make_line_scanner();
/// Only the end of the source ends the record.
[[nodiscard]] std::unique_ptr<RecordScanner> make_whole_scanner();

}  // namespace leitong
