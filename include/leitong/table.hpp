// Tables of typed columns (Arrow IPC) in memory: their rows as text, and tables of one's own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_sink.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Takes a row: of each chosen column its value as text, without data where it is null. The views live as
/// long as the call. A failure ends the reading and is returned from it.
using TableRowFn = std::function<Result<void>(std::span<const std::string_view> values)>;

/// Passes on the rows of an Arrow IPC stream or file, in their order. `columns` are names, of fields within
/// structs with dots; a column that the table lacks is null in each row, as are values that are no scalars.
/// Times are written by ISO 8601. Texts may be any bytes. `memory` is what the reader may take beside
/// `bytes`; 0: what it needs. Fails with corrupt for damaged bytes, with unsupported where the component
/// leitong-arrow is not installed or cannot read them, with limit where the memory does not suffice, and as
/// `each` does. Linear in `bytes`.
[[nodiscard]] Result<void> read_arrow(std::string_view bytes, std::span<const std::string_view> columns,
                                      std::uint64_t memory, const TableRowFn& each);

/// A column of a table that is written.
struct TableColumn {
  /// What the values are.
  enum class Type : std::uint8_t {
    text,     ///< UTF-8
    integer,  ///< 64 bits, signed
    number    ///< floating point of 64 bits
  };
  std::string name;        ///< as readers see it
  Type type = Type::text;  ///< of all its values
};

/// Writes rows, value by value in the order of the columns. A text is valid UTF-8.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// The value of the next column, which is one of texts.
  virtual void text(std::string_view value) = 0;
  /// The value of the next column, which is one of integers.
  virtual void integer(std::int64_t value) = 0;
  /// The value of the next column, which is one of numbers.
  virtual void number(double value) = 0;
  /// No value in the next column.
  virtual void null() = 0;
  /// After a value for each column. Fails as the sink does.
  virtual Result<void> end_row() = 0;
  /// After the last row. Fails as the sink does.
  virtual Result<void> finish() = 0;
};

/// An Arrow IPC stream, in batches of up to 65,536 rows, compressed by zstd. Fails with unsupported where the
/// component leitong-arrow is not installed.
[[nodiscard]] Result<std::unique_ptr<TableWriter>> new_arrow_stream(std::vector<TableColumn> columns,
                                                                    ByteSink sink);

}  // namespace leitong
