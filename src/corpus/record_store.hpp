// Records read again, by place.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/source_list.hpp"
#include "corpus/spool.hpp"
#include "io/read_file.hpp"

namespace leitong {

/// What one thread keeps between two reads.
struct StoreCursor {
  SpoolCache blocks;
  std::uint32_t source = UINT32_MAX;     ///< the one that the rest is about
  std::shared_ptr<const ReadFile> file;  ///< null where it lies in the spool
  std::uint64_t begin = 0;               ///< in the spool
  std::uint64_t ahead_begin = 0;         ///< in the file: where the bytes that were read ahead lie
  PodVector<char> ahead;
};

/// The bytes of sources of many records: plain files where they lie, all else in a spool. Reading is
/// thread-safe.
class RecordStore {
 public:
  RecordStore(const SourceList& sources, WorkFolder folder, StopToken stop)
      : sources_(sources), stop_(stop), spool_(std::move(folder)) {}

  /// From here on what is appended to the spool belongs to `source`.
  void begin_spooled(std::uint32_t source);
  Spool& spool() noexcept { return spool_; }

  /// Bytes of a source. A plain file that isn't what its stamp says any more is ErrorCode::corrupt and names
  /// it.
  Result<void> read(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                    StoreCursor& cursor) const;
  /// The same for the end of a source: as many bytes as there are, up to `size`. REQUIRES that the stream has
  /// ended.
  Result<std::size_t> read_up_to(std::uint32_t source, std::uint64_t offset, char* out, std::size_t size,
                                 StoreCursor& cursor) const;

 private:
  struct Spooled {
    std::uint32_t source;
    std::uint64_t begin;  // in the spool
  };
  Result<void> move_to(std::uint32_t source, StoreCursor& cursor) const;
  Result<void> read_file(std::uint64_t offset, char* out, std::size_t size, StoreCursor& cursor) const;

  const SourceList& sources_;
  StopToken stop_;
  Spool spool_;
  mutable std::mutex mutex_;      // guards what follows
  std::vector<Spooled> spooled_;  // ascending
  mutable std::list<std::pair<std::uint32_t, std::shared_ptr<const ReadFile>>>
      open_files_;  // last used first
};

/// The error of a file that was changed while it was being used.
[[nodiscard]] tl::unexpected<Error> changed_file(std::string_view path);

}  // namespace leitong
