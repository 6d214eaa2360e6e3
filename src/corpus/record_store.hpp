// Records read again, by place.
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

/// Bytes of a file that one thread has read ahead.
struct ReadAhead {
  std::uint64_t begin = 0;  ///< where they lie in the file
  PodVector<char> bytes;
};

/// What one thread keeps between two reads.
struct StoreCursor {
  SpoolCache blocks;
  std::uint32_t source = UINT32_MAX;     ///< the one that the rest is about
  std::shared_ptr<const ReadFile> file;  ///< null where it lies in the spool
  std::uint64_t begin = 0;               ///< in the spool
  ReadAhead ahead;                       ///< of the file
};

/// The bytes of sources of many records: plain files where they lie, all else in a spool; and rows that were
/// taken out of tables. Reading is thread-safe.
class RecordStore {
 public:
  RecordStore(const SourceList& sources, WorkFolder folder, StopToken stop)
      : sources_(sources), stop_(stop), folder_(folder), spool_(std::move(folder)) {}

  /// From here on what is appended to the spool belongs to `source`.
  void begin_spooled(std::uint32_t source);
  Spool& spool() noexcept { return spool_; }
  /// Bytes of a source that lies in the spool; nothing for others. REQUIRES that the stream has ended.
  [[nodiscard]] std::optional<std::uint64_t> spooled_size(std::uint32_t source) const;

  /// Bytes of a source. A plain file that isn't what its stamp says any more is ErrorCode::corrupt and names
  /// it.
  Result<void> read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                    StoreCursor& cursor) const;
  /// The same for the end of a source: as many bytes as there are, up to `size`. REQUIRES that the stream has
  /// ended.
  Result<std::size_t> read_up_to(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                                 StoreCursor& cursor) const;

  /// Keeps rows of any source, as they are: what is read again and again by place would be unpacked each
  /// time. Where they begin, among the rows of all sources. One writer. A full disk is an error that names
  /// the work folder.
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
  std::optional<TempFile> rows_;              // comes with the first row
  std::atomic<std::uint64_t> rows_size_ = 0;  // what may be read of it
  mutable std::mutex mutex_;                  // guards what follows
  std::vector<Spooled> spooled_;              // ascending
  mutable std::list<std::pair<std::uint32_t, std::shared_ptr<const ReadFile>>>
      open_files_;  // last used first
};

/// The error of a file that was changed while it was being used.
[[nodiscard]] tl::unexpected<Error> changed_file(std::string_view path);

}  // namespace leitong
