// Reads records again, by place.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/source_list.hpp"
#include "corpus/spool.hpp"
#include "io/read_file.hpp"
#include "io/temp_file.hpp"

namespace leitong {

/// Bytes of a file that a thread has read in advance.
struct ReadAhead {
  std::uint64_t begin = 0;  ///< their offset in the file
  PodVector<char> bytes;
};

/// What a thread keeps between two reads.
struct StoreCursor {
  SpoolCache blocks;
  std::uint32_t source = UINT32_MAX;     ///< the source of the other members
  std::shared_ptr<const ReadFile> file;  ///< null if it is in the spool
  std::uint64_t begin = 0;               ///< in the spool
  ReadAhead ahead;                       ///< of the file
};

/// The bytes of the sources: plain files where they are, others in a spool; and rows from tables. Reading is
/// thread-safe.
class RecordStore {
 public:
  RecordStore(const SourceList& sources, WorkFolder folder, StopToken stop)
      : sources_(sources), stop_(stop), folder_(folder), spool_(std::move(folder)) {}

  /// Later appends to the spool belong to `source`.
  void begin_spooled(std::uint32_t source);
  Spool& spool() noexcept { return spool_; }
  /// Are the bytes of a source in the spool?
  [[nodiscard]] bool is_spooled(std::uint32_t source) const;
  /// The size of a source in the spool; nothing for others. REQUIRES the end of the stream.
  [[nodiscard]] std::optional<std::uint64_t> spooled_size(std::uint32_t source) const;

  /// Reads bytes of a source. Fails with corrupt, naming the file, if a plain file does not match its stamp.
  Result<void> read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                    StoreCursor& cursor) const;
  /// The same for the end of a source: as many bytes as there are, up to `size`. REQUIRES the end of the
  /// stream.
  Result<std::size_t> read_up_to(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                                 StoreCursor& cursor) const;

  /// Stores rows of any source, uncompressed, because rows that are read repeatedly by place would be
  /// unpacked each time. Returns their offset among the rows of all sources. One writer. Fails with an error
  /// that names the work folder if the disk is full.
  Result<std::uint64_t> append_rows(std::string_view rows);
  /// REQUIRES that these were appended.
  Result<void> read_rows(std::uint64_t offset, char* out, std::size_t size, ReadAhead& ahead) const;

 private:
  struct Spooled {
    std::uint32_t source;
    std::uint64_t begin;  // in the spool
  };
  Result<void> move_to(std::uint32_t source, StoreCursor& cursor) const;
  Result<void> read_file(std::uint64_t offset, char* out, std::size_t size, StoreCursor& cursor) const;

  const SourceList& sources_;
  StopToken stop_;
  WorkFolder folder_;
  Spool spool_;
  std::optional<TempFile> rows_;              // made with the first row
  std::atomic<std::uint64_t> rows_size_ = 0;  // the readable part
  mutable std::mutex mutex_;                  // guards what follows
  std::vector<Spooled> spooled_;              // ascending
  mutable std::list<std::pair<std::uint32_t, std::shared_ptr<const ReadFile>>>
      open_files_;  // last used first
};

/// The error for a file that was changed during its use.
[[nodiscard]] tl::unexpected<Error> changed_file(std::string_view path);

}  // namespace leitong
