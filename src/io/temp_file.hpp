// Nameless files, to which streams go when the memory is used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "leitong/result.hpp"

namespace leitong {

/// An open file without a name; the system deletes it when this object or the process ends, however it ends.
class TempFile {
 public:
  /// Creates it in `folder` (made if missing).
  static Result<TempFile> create(const std::filesystem::path& folder);

  TempFile(TempFile&& other) noexcept;
  TempFile& operator=(TempFile&& other) noexcept;
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile();

  /// Appends `size` bytes and returns their offset. One writer at a time. If the disk is full, the error
  /// names the folder.
  Result<std::uint64_t> append(const void* data, std::size_t size);
  /// Reads exactly `size` bytes at `offset`; thread-safe.
  Result<void> read(std::uint64_t offset, void* data, std::size_t size) const;
  /// Gives the disk blocks of what is no longer read back to the system, where it can do that (Linux).
  void let_go(std::uint64_t offset, std::uint64_t size) const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  TempFile(int fd, std::string folder) : fd_(fd), folder_(std::move(folder)) {}
  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::string folder_;
};

}  // namespace leitong
