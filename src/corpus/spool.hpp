// Data that cannot be read twice from their source (pipes, compressed files), stored compressed in a nameless
// file for random access.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "io/temp_file.hpp"
#include "io/work_folder.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Decoded blocks that a thread has read last, by block number. 512 KiB when used.
class SpoolCache {
 public:
  SpoolCache();
  ~SpoolCache();
  SpoolCache(const SpoolCache&) = delete;
  SpoolCache& operator=(const SpoolCache&) = delete;

 private:
  friend class Spool;
  static constexpr std::size_t kBlocks = 8;
  struct Slot {
    std::uint64_t block = UINT64_MAX;
    std::string bytes;
  };
  struct Decoder;
  Slot slots_[kBlocks];
  std::string compressed_;
  std::unique_ptr<Decoder> decoder_;
};

/// A growing sequence of bytes in zstd frames of 64 KiB; the index takes 8 bytes a frame. One writer; any
/// number of readers at the same time, each with its own cache. Reading n bytes at a random offset decodes n
/// + 64 KiB on average.
class Spool {
 public:
  explicit Spool(WorkFolder folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Makes the file with the first byte. If the disk is full, the error names the work folder.
  Result<void> append(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const;
  /// REQUIRES offset + size <= size().
  Result<void> read(std::uint64_t offset, char* out, std::size_t size, SpoolCache& cache) const;

 private:
  struct Encoder;
  struct Span {
    std::uint64_t begin;
    std::size_t size;
  };
  Result<void> write_block(std::string_view block);
  Result<std::string_view> block(std::uint64_t number, SpoolCache& cache) const;

  WorkFolder folder_;
  std::unique_ptr<TempFile> file_;
  std::unique_ptr<Encoder> encoder_;
  mutable std::mutex mutex_;         // guards ends_ and open_, which grow
  std::vector<std::uint64_t> ends_;  // of frames in file_
  std::string open_;                 // the last block, which is not full
};

}  // namespace leitong
