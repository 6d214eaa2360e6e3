// Files that are read sequentially, at any offset by many threads, or at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Tells whether a file is still the one that was read before.
struct FileStamp {
  std::uint64_t size = 0;     ///< bytes
  std::int64_t modified = 0;  ///< nanoseconds since the epoch
  bool operator==(const FileStamp&) const = default;
};

/// Owns a descriptor. Every message names the path and the system's error. After a stop, reading and waiting
/// fail with cancelled.
class ReadFile {
 public:
  /// "-" is standard input. Fails with limit if no more files can be opened.
  static Result<ReadFile> open(std::string path, StopToken stop = {});
  ReadFile(ReadFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        may_wait_(other.may_wait_),
        path_(std::move(other.path_)),
        stop_(other.stop_) {}
  ReadFile& operator=(ReadFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(may_wait_, other.may_wait_);
    std::swap(path_, other.path_);
    std::swap(stop_, other.stop_);
    return *this;
  }
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;
  ~ReadFile();

  /// Can it be read again at an offset? True for regular files that are read from the beginning, not for
  /// pipes and devices.
  [[nodiscard]] bool can_be_read_again() const noexcept;
  [[nodiscard]] FileStamp stamp() const noexcept;

  /// Reads up to `size` bytes from the present position: what is available; 0 only at the end.
  Result<std::size_t> read(char* out, std::size_t size);
  /// Reads up to `size` bytes from `offset`; fewer only at the end of the file. Thread-safe.
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) const;

 private:
  ReadFile(int fd, bool may_wait, std::string path, StopToken stop)
      : fd_(fd), may_wait_(may_wait), path_(std::move(path)), stop_(stop) {}
  /// Waits until there is something to read, or the end.
  [[nodiscard]] Result<void> wait() const;

  int fd_;
  bool may_wait_;  // a pipe, a socket, a terminal
  std::string path_;
  StopToken stop_;
};

/// A message without the path at its beginning, for places that already show the path.
[[nodiscard]] std::string without_path(std::string message, std::string_view path);

/// "PATH: can't be WHAT: why", by the system's error number: not_found, io, or limit if no more files can be
/// opened (which says nothing about this file), with advice.
[[nodiscard]] Error system_refused(const std::string& path, std::string_view what, int error);

/// The limit of read_whole_file(): far above any word list, far below what would exhaust a machine.
inline constexpr std::uint64_t kMaxWholeFile = std::uint64_t{256} << 20;

/// All bytes of a file, pipe or device. Fails with not_found or io (also for an error in the middle), and
/// with limit beyond `most` bytes. O(size).
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most = kMaxWholeFile);

}  // namespace leitong
