// Tables of typed columns (Parquet, Arrow IPC). The libraries that read them are larger than all of leitong,
// so they are a component of their own: a shared object that is loaded when the first table is met. What
// stands here is all that both sides know of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/component.hpp"
#include "leitong/byte_sink.hpp"
#include "leitong/result.hpp"
#include "leitong/table.hpp"

namespace leitong {

enum class TableKind : std::uint8_t { parquet, arrow };

/// What a table is written as: Arrow IPC has a form for files, with a footer, and one for streams.
enum class TableForm : std::uint8_t { parquet, arrow_file, arrow_stream };

/// The bytes of a table. One thread at a time.
class TableBytes {
 public:
  virtual ~TableBytes() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Exactly `size` bytes. REQUIRES offset + size <= size().
  virtual Result<void> read(std::uint64_t offset, char* out, std::size_t size) = 0;
};

/// A column, or a field in a struct.
struct TableField {
  enum class Kind : std::uint8_t { text, scalar, other };
  std::string name;  ///< with dots between the names of structs and fields
  std::string type;  ///< for messages
  Kind kind = Kind::other;
  std::uint64_t bytes = 0;  ///< uncompressed; 0 where the file doesn't say it
};

/// Some rows. What the views show lives until the next call of the reader.
struct TableRows {
  std::size_t count = 0;
  /// For each chosen field its value in each row, as text; without data where it is null. A time is written
  /// by ISO 8601, a list of numbers as JSON has it, and what else is no scalar is null. Texts may be any
  /// bytes.
  std::vector<std::vector<std::string_view>> values;
  double share = 0;  ///< of the table's rows or bytes that have been read by now
};

/// Errors of all that follows: corrupt for damaged bytes, unsupported for what is not read (encryption, a
/// codec), limit where the memory does not suffice, and those of TableBytes and ByteSink as they came.
/// Messages name no file.
class TableReader {
 public:
  virtual ~TableReader() = default;
  [[nodiscard]] virtual const std::vector<TableField>& fields() const = 0;
  /// Equal for tables whose rows may stand in one file.
  [[nodiscard]] virtual const std::string& schema() const = 0;
  /// Which fields are read, by their numbers. Once, before next().
  virtual Result<void> choose(const std::vector<std::size_t>& fields) = 0;
  /// The next rows, in their order; of long values fewer. False at the end.
  virtual Result<bool> next(TableRows& rows) = 0;
};

/// Writes chosen rows of tables of one schema into one: all columns, with the schema, metadata, compression,
/// encodings and rows in a group of the first table.
class TableCopier {
 public:
  virtual ~TableCopier() = default;
  /// The rows that follow are of this table.
  virtual Result<void> begin(std::unique_ptr<TableBytes> bytes) = 0;
  /// They are again of the table that was begun before this one, and go on after those of it that came. Once
  /// more, and they are of this one.
  virtual Result<void> change() = 0;
  /// Rows [first, first + count) stay. REQUIRES that calls come in the order of rows.
  virtual Result<void> keep(std::uint64_t first, std::uint64_t count) = 0;
  /// REQUIRES that a table was begun.
  virtual Result<void> finish() = 0;
};

/// What the component offers. `memory` is what one reader, copier or writer may take, in bytes; 0: what it
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

/// The component, loaded at the first call; it stays until the process ends. Fails with unsupported, naming
/// the places it was looked for and the fix.
[[nodiscard]] Result<const TableFiles*> table_files();

/// The form that the ending of a name stands for: .parquet, .arrow, .feather, .arrows; nothing for all
/// others.
[[nodiscard]] std::optional<TableForm> table_form_of_name(std::string_view path) noexcept;

/// The one function of the shared object, by this name: what it offers to this version of leitong, or null.
using TableFilesEntry = const TableFiles* (*)(unsigned version);
inline constexpr char kTableFilesEntry[] = "leitong_table_files";
inline constexpr unsigned kTableFilesVersion = kComponentVersion;

}  // namespace leitong
