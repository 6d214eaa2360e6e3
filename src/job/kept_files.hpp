// The files of kept records that a run wrote, as one run of bytes.
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

/// Plain files are read where they lie; what is compressed, and what is no file, goes to the work folder
/// first. Reading is thread-safe.
class KeptFiles {
 public:
  /// Opens all of them, which takes some 100 bytes of memory for each. Fails with corrupt if one isn't as
  /// long as it was.
  static Result<std::unique_ptr<KeptFiles>> open(const std::string& kept, const RestorableFile& file,
                                                 const RunContext& run);

  /// Bytes [begin, begin + size) of all of them.
  Result<void> read(std::uint64_t begin, std::size_t size, char* out, StoreCursor& cursor) const;
  /// The bytes of a table: of file `number`, held against their hash when it is the first time.
  Result<std::unique_ptr<TableBytes>> table(std::uint32_t number, std::uint64_t hash);
  /// For messages: the file that holds this byte.
  [[nodiscard]] std::string_view path_at(std::uint64_t begin) const;

 private:
  explicit KeptFiles(const RunContext& run)
      : run_(run), sources_(standard_formats()), store_(sources_, run.work, run.stop) {}
  /// The next one; it holds `size` bytes, and what is `stored` is not unpacked.
  Result<void> add(const std::string& path, std::uint64_t size, bool stored);

  const RunContext& run_;
  SourceList sources_;
  RecordStore store_;
  std::uint32_t hashed_ = UINT32_MAX;        // the table that was held against its hash last
  std::vector<std::uint64_t> begins_ = {0};  // of each, and where the last one ends
};

}  // namespace leitong
