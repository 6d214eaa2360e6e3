// What a run removed, so that its input can be restored from the kept records and this file: kind
// "restorable" of mapped files (docs/format.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "io/restorable_block.hpp"
#include "io/section_file.hpp"
#include "leitong/byte_sink.hpp"
#include "leitong/result.hpp"

namespace leitong {

enum class KeptForm : std::uint8_t {
  file,      ///< one file of records
  folder,    ///< a folder with a file of records for each source, with its path
  list,      ///< a list of the paths of kept documents
  documents  ///< a folder of kept documents, each with its path
};

/// A file or stream of the input.
struct RestorableSource {
  std::string path;
  std::string lost;        ///< why the rest of its bytes cannot be read; else empty
  std::uint8_t table = 0;  ///< 1 + TableKind for typed columns, whose rows are in RestorableTable; else 0
  bool stored = false;     ///< true: the bytes of the file; false: unpacked or decoded
  bool kept = false;       ///< a file of its own holds kept bytes of it: see KeptForm
  std::uint64_t size = 0;  ///< bytes
  std::uint64_t kept_bytes = 0;  ///< size of the file with its kept bytes
  std::uint64_t hash = 0;        ///< XXH3-64 of its bytes
};

/// The rows of a source of typed columns that are not among the kept rows.
struct RestorableTable {
  std::string_view rows;   ///< a table of the same kind, or nothing
  std::string_view runs;   ///< what became of the rows, see for_each_run()
  std::string_view names;  ///< of the rows that left, each ended by a zero byte; empty for quarantined ones
  std::uint64_t kept_hash = 0;  ///< XXH3-64 of the file of kept rows
};

/// Some successive rows of a table: first those that are kept, then those that left, and then, perhaps, one
/// that is kept with another text; as it was it is among those that left.
struct RowRun {
  std::uint64_t kept = 0, left = 0;
  bool changed = false;
};
/// Calls `each` for the runs of rows of a table. Stops at the first failure. Fails with corrupt for wrong
/// bytes.
[[nodiscard]] Result<void> for_each_run(std::string_view runs,
                                        const std::function<Result<void>(const RowRun& run)>& each);

/// Facts about the whole file.
struct RestorableFacts {
  KeptForm form = KeptForm::file;
  bool null_separated = false;   ///< the list's paths end with a zero byte
  std::uint64_t kept_bytes = 0;  ///< of all kept files, unpacked
  std::uint64_t records = 0;     ///< number of removed records
};

/// Writes a restorable file from front to back, while the input is read again.
class RestorableWriter {
 public:
  /// A kept record; a removed one is written as a difference from it.
  struct Base {
    std::uint32_t record = 0;      ///< its document, for reading it
    std::uint64_t kept_begin = 0;  ///< its offset in the kept bytes
    std::uint64_t size = 0;        ///< its size there
  };
  /// Reads bytes [begin, begin + size) of a kept record.
  using ReadBase =
      std::function<Result<void>(std::uint32_t record, std::uint64_t begin, std::size_t size, char* out)>;

  /// `new_reader` makes a ReadBase for one thread. The threads of the calling arena pack blocks, as many at a
  /// time as fit in `memory` bytes, and at least one.
  static Result<std::unique_ptr<RestorableWriter>> create(ByteSink sink, std::function<ReadBase()> new_reader,
                                                          std::uint64_t memory, StopToken stop);
  ~RestorableWriter();

  void begin_source(std::string_view path, bool stored, std::uint8_t table);
  /// The next bytes of the source equal the kept bytes from `kept_begin` on.
  Result<void> copied(std::uint64_t kept_begin, std::string_view bytes);
  /// The next bytes are bytes [begin, begin + bytes.size()) of a removed record of `size` bytes; at most
  /// kRestorePart of them.
  Result<void> removed(std::string_view name, const std::optional<Base>& base, std::uint64_t begin,
                       std::uint64_t size, std::string_view bytes);
  /// The same for a record that stays, but was written differently from the source.
  Result<void> changed(const Base& base, std::uint64_t begin, std::uint64_t size, std::string_view bytes);
  /// The next bytes belong to no removed or kept record; at most kRestorePart of them.
  Result<void> between(std::string_view bytes);
  /// `lost`: see RestorableSource.
  Result<void> end_source(std::uint64_t kept_bytes, bool kept, std::string_view lost);
  /// After all sources, for those that are tables, in the same order: the bytes of the rows that left, and
  /// then the other members of RestorableTable.
  Result<void> rows(std::string_view bytes);
  /// The next row of the table: it is among the kept rows; or it is not, and its bytes are among rows(); or a
  /// row with another text is among the kept ones, and its own bytes are among rows().
  void row_stays();
  void row_left(std::string_view name);
  void row_changed();
  Result<void> end_table(std::uint64_t kept_hash);
  /// `facts.records` is counted here.
  Result<void> finish(RestorableFacts facts);

 private:
  struct Impl;
  explicit RestorableWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A mapped restorable file. Thread-safe.
class RestorableFile {
 public:
  /// Fails as SectionFile::open(). Reads the sources, some 100 bytes of memory each.
  static Result<RestorableFile> open(const std::filesystem::path& path);

  [[nodiscard]] const RestorableFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const std::vector<RestorableSource>& sources() const noexcept { return sources_; }
  /// The source that is table number `number`, with verified checksums.
  [[nodiscard]] Result<RestorableTable> table(std::size_t number) const;
  [[nodiscard]] std::size_t blocks() const noexcept { return ends_.size(); }
  /// The packed block, with verified checksums.
  [[nodiscard]] Result<std::string_view> block(std::size_t number) const;
  /// Verifies the checksums of all bytes that were not read.
  [[nodiscard]] Result<void> verify() const { return file_.verify(); }
  [[nodiscard]] std::string path() const { return file_.path().string(); }

 private:
  explicit RestorableFile(SectionFile file) : file_(std::move(file)) {}
  Result<void> read_sources();

  SectionFile file_;
  RestorableFacts facts_;
  std::vector<RestorableSource> sources_;
  std::span<const char> packed_, tables_;
  std::span<const std::uint64_t> ends_;
  struct TableEnds {
    std::uint64_t rows, runs, names, kept_hash;
  };
  friend class RestorableWriter;
  std::span<const TableEnds> table_ends_;
};

}  // namespace leitong
