// Tables of typed columns (Arrow IPC) in memory: reads their rows as text, and writes new ones.
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

/// Takes a row: the value of each chosen column as text, with a null data pointer for a null value. The views
/// are valid during the call. A failure ends the reading and is returned.
using TableRowFn = std::function<Result<void>(std::span<const std::string_view> values)>;

/// Passes on the rows of an Arrow IPC stream or file, in their order. `columns` are names; a field within a
/// struct is named with dots. A column that the table lacks is null in each row, and so is a value that is no
/// scalar. Times are written as ISO 8601 says. Texts may be any bytes. `memory` is the most memory that the
/// reader uses beside `bytes`; 0: as much as it needs. Fails with corrupt for damaged bytes, with unsupported
/// if the component leitong-arrow is not installed or cannot read them, with limit if the memory is not
/// enough, and as `each` does. Linear in `bytes`.
[[nodiscard]] Result<void> read_arrow(std::string_view bytes, std::span<const std::string_view> columns,
                                      std::uint64_t memory, const TableRowFn& each);

/// A column of a table that is written.
struct TableColumn {
  /// The type of the values.
  enum class Type : std::uint8_t {
    text,     ///< UTF-8
    integer,  ///< 64 bits, signed
    number    ///< floating point of 64 bits
  };
  std::string name;        ///< the name that readers see
  Type type = Type::text;  ///< the type of all its values
};

/// Writes rows, value by value in the order of the columns. A text is valid UTF-8.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// The value of the next column, of type text.
  virtual void text(std::string_view value) = 0;
  /// The value of the next column, of type integer.
  virtual void integer(std::int64_t value) = 0;
  /// The value of the next column, of type number.
  virtual void number(double value) = 0;
  /// A null in the next column.
  virtual void null() = 0;
  /// Ends a row, after a value for each column. Fails as the sink does.
  virtual Result<void> end_row() = 0;
  /// Ends the table, after the last row. Fails as the sink does.
  virtual Result<void> finish() = 0;
};

/// Makes an Arrow IPC stream, in batches of up to 65,536 rows, compressed by zstd. Fails with unsupported if
/// the component leitong-arrow is not installed.
[[nodiscard]] Result<std::unique_ptr<TableWriter>> new_arrow_stream(std::vector<TableColumn> columns,
                                                                    ByteSink sink);

}  // namespace leitong
