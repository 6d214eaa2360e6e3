// Where one record ends and the next begins.
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

  /// Ends of all whole records in `bytes`, which begin with a record; the last one's is returned, 0 if there
  /// is none. Ends are appended to `ends` only by kinds whose records may hold line feeds. With `at_end` the
  /// bytes are the last ones of the source, and what follows the last line feed is a record, too.
  virtual std::size_t whole_records(std::string_view bytes, bool at_end,
                                    std::vector<std::uint32_t>& ends) = 0;

  /// For a record too large for one piece: forgets what was seen of it.
  virtual void begin_record() = 0;
  /// End of the record that began with begin_record() in the next piece of it, or npos if it goes on after
  /// it.
  virtual std::size_t record_end(std::string_view piece) = 0;
};

/// Every line feed ends a record.
[[nodiscard]] std::unique_ptr<RecordScanner> make_line_scanner();
/// Nothing ends the record but the end of the source.
[[nodiscard]] std::unique_ptr<RecordScanner> make_whole_scanner();

}  // namespace leitong
