// The files of kept records that a run wrote, read as one sequence of bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/record_format.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"
#include "io/restorable_file.hpp"
#include "io/run_context.hpp"
#include "io/table_files.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Plain files are read directly; compressed files, and what is no file, are first unpacked to the work
/// folder. Reading is thread-safe.
class KeptFiles {
 public:
  /// Opens all of them, which takes about 100 bytes of memory for each. Fails with corrupt if one does not
  /// have its recorded length.
  static Result<std::unique_ptr<KeptFiles>> open(const std::string& kept, const RestorableFile& file,
                                                 const RunContext& run);

  /// Reads bytes [begin, begin + size) of the whole sequence.
  Result<void> read(std::uint64_t begin, std::size_t size, char* out, StoreCursor& cursor) const;
  /// The bytes of a table: those of file `number`, which are compared with their hash the first time.
  Result<std::unique_ptr<TableBytes>> table(std::uint32_t number, std::uint64_t hash);
  /// The file that holds this byte, for messages.
  [[nodiscard]] std::string_view path_at(std::uint64_t begin) const;

 private:
  explicit KeptFiles(const RunContext& run)
      : run_(run), sources_(standard_formats()), store_(sources_, run.work, run.stop) {}
  /// Adds the next file. It holds `size` bytes; a `stored` one is not unpacked.
  Result<void> add(const std::string& path, std::uint64_t size, bool stored);

  const RunContext& run_;
  SourceList sources_;
  RecordStore store_;
  std::uint32_t hashed_ = UINT32_MAX;        // the table that was last compared with its hash
  std::vector<std::uint64_t> begins_ = {0};  // start of each file, and the end of the last one
};

}  // namespace leitong
