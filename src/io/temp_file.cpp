#include "io/temp_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace leitong {

Result<TempFile> TempFile::create(const std::filesystem::path& folder) {
  std::error_code ignored;  // mkstemp reports the important error
  std::filesystem::create_directories(folder, ignored);
  std::string name = (folder / "leitong-XXXXXX").string();
  const int fd = ::mkstemp(name.data());
  if (fd < 0)
    return fail(ErrorCode::io,
                fmt::format("{}: can't make a work file: {}; choose another work folder", folder.string(),
                            std::strerror(errno)),
                "work_folder");
  ::unlink(name.c_str());
  return TempFile(fd, folder.string());
}

TempFile::TempFile(TempFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(other.size_), folder_(std::move(other.folder_)) {}

TempFile& TempFile::operator=(TempFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  std::swap(folder_, other.folder_);
  return *this;
}

TempFile::~TempFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::uint64_t> TempFile::append(const void* data, std::size_t size) {
  const std::uint64_t begin = size_;
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(fd_, bytes, size, static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      return fail(
          ErrorCode::io,
          fmt::format("{}: can't write work files: {}; free space there or choose another work folder",
                      folder_, std::strerror(errno)),
          "work_folder");
    bytes += written;
    size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
  return begin;
}

Result<void> TempFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(fd_, bytes, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail(ErrorCode::io,
                  fmt::format("{}: can't read a work file back: {}", folder_,
                              got == 0 ? "it is shorter than what was written" : std::strerror(errno)));
    bytes += got;
    size -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

void TempFile::let_go([[maybe_unused]] std::uint64_t offset,
                      [[maybe_unused]] std::uint64_t size) const noexcept {
#ifdef FALLOC_FL_PUNCH_HOLE
  // A file system that can't do it keeps the blocks until the file ends.
  static_cast<void>(::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                                static_cast<off_t>(size)));
#endif
}

}  // namespace leitong
