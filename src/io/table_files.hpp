// Tables of typed columns (Parquet, Arrow IPC). The libraries that read them are larger than the rest of
// leitong, so they form a component: a shared object that is loaded for the first table. The program and the
// component know of each other only this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/component.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/byte_sink.hpp"
#include "leitong/result.hpp"
#include "leitong/table.hpp"

namespace leitong {

enum class TableKind : std::uint8_t { parquet, arrow };

/// The form of a written table: Arrow IPC has one for files, with a footer, and one for streams.
enum class TableForm : std::uint8_t { parquet, arrow_file, arrow_stream };

/// The bytes of a table. One thread at a time.
class TableBytes {
 public:
  virtual ~TableBytes() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Reads exactly `size` bytes. REQUIRES offset + size <= size().
  virtual Result<void> read(std::uint64_t offset, char* out, std::size_t size) = 0;
};

/// A column, or a field in a struct.
struct TableField {
  enum class Kind : std::uint8_t { text, scalar, other };
  std::string name;  ///< names of structs and fields, separated by dots
  std::string type;  ///< for messages
  Kind kind = Kind::other;
  std::uint64_t bytes = 0;  ///< uncompressed size; 0 if the file does not tell
};

/// The index of the field with this name, or fields.size() if there is none. Fails with invalid_argument if
/// several have it.
[[nodiscard]] Result<std::size_t> find_field(const std::vector<TableField>& fields, std::string_view name);

/// Some rows. The views are valid until the next call of the reader.
struct TableRows {
  std::size_t count = 0;
  /// For each chosen field its value in each row, as text, with a null data pointer for null. Times are
  /// written by ISO 8601, lists of numbers as JSON; other values that are no scalars are null. Texts may be
  /// any bytes.
  std::vector<std::vector<std::string_view>> values;
  double share = 0;  ///< share of the table's rows or bytes read so far
};

/// Errors of all functions below: corrupt for damaged bytes, unsupported for what cannot be read (encryption,
/// a codec), limit if the memory is not enough, and those of TableBytes and ByteSink unchanged. Messages name
/// no file.
class TableReader {
 public:
  virtual ~TableReader() = default;
  [[nodiscard]] virtual const std::vector<TableField>& fields() const = 0;
  /// Equal for tables whose rows can be in one file.
  [[nodiscard]] virtual const std::string& schema() const = 0;
  /// Selects the fields by their indexes. Call it once, before next().
  virtual Result<void> choose(const std::vector<std::size_t>& fields) = 0;
  /// The next rows, in order; fewer if values are long. False at the end.
  virtual Result<bool> next(TableRows& rows) = 0;
};

/// A field that records get beside those that they have.
struct AddedField {
  enum class Type : std::uint8_t { text, integer, number, truth };
  std::string name;
  Type type = Type::text;
};
/// Its value in one record: null, or of the type of the field. A text is valid UTF-8.
using AddedValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string_view>;

/// Writes chosen rows of tables of one schema into one table: all columns, with the schema, metadata,
/// compression, encodings and row group size of the first table.
class TableCopier {
 public:
  virtual ~TableCopier() = default;
  /// Adds columns behind those of the tables; each value may be null. Call it first. REQUIRES that no
  /// table has a column of such a name.
  virtual Result<void> extend(std::vector<AddedField> fields) = 0;
  /// The values of the added columns in the next row that keep() has not been called for yet; copied.
  /// REQUIRES one value for each column.
  virtual Result<void> append(std::span<const AddedValue> values) = 0;
  /// Some rows lose bytes of these fields, named as TableField::name; all are texts. Call it first. begin()
  /// fails with unsupported for a field whose texts can't be changed.
  virtual Result<void> cut_fields(std::vector<std::string> names) = 0;
  /// The bytes that a row loses of a field, by its number in cut_fields(): ascending ranges of the value that
  /// a reader gives. `row` counts the rows that are kept, from 0. REQUIRES ascending rows, and that keep()
  /// was not called for this row.
  virtual Result<void> cut(std::uint64_t row, std::size_t field, std::span<const ByteRange> ranges) = 0;
  /// The following rows are of this table.
  virtual Result<void> begin(std::unique_ptr<TableBytes> bytes) = 0;
  /// Returns to the table before the present one, which continues after its last rows. A second call returns
  /// to the present one.
  virtual Result<void> change() = 0;
  /// Keeps rows [first, first + count). REQUIRES calls in the order of rows.
  virtual Result<void> keep(std::uint64_t first, std::uint64_t count) = 0;
  /// REQUIRES that a table was begun.
  virtual Result<void> finish() = 0;
};

/// What the component offers. `memory`: the most bytes of one reader, copier or writer; 0: as much as it
/// needs.
class TableFiles {
 public:
  [[nodiscard]] virtual Result<std::unique_ptr<TableReader>> open(TableKind kind,
                                                                  std::unique_ptr<TableBytes> bytes,
                                                                  std::uint64_t memory) const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<TableCopier>> new_copier(TableKind kind, ByteSink sink,
                                                                        std::uint64_t memory) const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<TableWriter>> new_writer(TableForm form,
                                                                        std::vector<TableColumn> columns,
                                                                        ByteSink sink) const = 0;

 protected:
  ~TableFiles() = default;
};

/// The component, loaded at the first call; it stays loaded until the process ends. Fails with unsupported,
/// naming the places that were searched and the fix.
[[nodiscard]] Result<const TableFiles*> table_files();

/// The form for the ending of a name: .parquet, .arrow, .feather, .arrows; nothing for others.
[[nodiscard]] std::optional<TableForm> table_form_of_name(std::string_view path) noexcept;

/// The only function of the shared object, by this name: returns the offer for this version of leitong, or
/// null.
using TableFilesEntry = const TableFiles* (*)(unsigned version);
inline constexpr char kTableFilesEntry[] = "leitong_table_files";
inline constexpr unsigned kTableFilesVersion = kComponentVersion;

}  // namespace leitong
