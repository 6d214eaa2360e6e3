#include "io/read_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/system.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

/// Milliseconds between two checks of the stop, because nothing wakes a waiting thread.
constexpr int kWait = 100;

tl::unexpected<Error> read_failure(const std::string& path, std::string_view what, int error) {
  return tl::unexpected<Error>(system_refused(path, what, error));
}

}  // namespace

Result<ReadFile> ReadFile::open(std::string path, StopToken stop) {
  const int fd = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const int error = errno;
    LEITONG_TRY(stop.check());  // a pipe without a writer yet
    return read_failure(path, "opened", error);
  }
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(fd);
    return read_failure(path, "read", EISDIR);
  }
  system::expect_sequential_reads(fd);
  return ReadFile(fd, !S_ISREG(status.st_mode), std::move(path), stop);
}

ReadFile::~ReadFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool ReadFile::can_be_read_again() const noexcept {
  struct stat status {};
  return ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode) && ::lseek(fd_, 0, SEEK_CUR) == 0;
}

FileStamp ReadFile::stamp() const noexcept {
  struct stat status {};
  if (::fstat(fd_, &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_size), system::changed_at(status)};
}

Result<std::size_t> ReadFile::read(char* out, std::size_t size) {
  for (;;) {
    LEITONG_TRY(wait());
    const ssize_t got = ::read(fd_, out, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return read_failure(path_, "read", errno);
  }
}

Result<void> ReadFile::wait() const {
  pollfd waiting{fd_, POLLIN, 0};
  for (;;) {
    LEITONG_TRY(stop_.check());
    if (!may_wait_) return {};
    const int ready = ::poll(&waiting, 1, kWait);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return {};  // read() will report an error
  }
}

Result<std::size_t> ReadFile::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  LEITONG_TRY(stop_.check());
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd_, out + done, size - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_failure(path_, "read", errno);
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string without_path(std::string message, std::string_view path) {
  if (path == "-") path = "standard input";
  if (message.starts_with(path) && message.compare(path.size(), 2, ": ") == 0)
    message.erase(0, path.size() + 2);
  return message;
}

Error system_refused(const std::string& path, std::string_view what, int error) {
  ErrorCode code = ErrorCode::io;
  std::string why = std::strerror(error);
  if (error == ENOENT || error == ENOTDIR) {
    code = ErrorCode::not_found;
  } else if (error == EMFILE) {
    code = ErrorCode::limit;
    why = "this process has as many files open as it may; raise the limit (ulimit -n) or use fewer threads";
  } else if (error == ENFILE) {
    code = ErrorCode::limit;
    why = "the system has as many files open as it may; close some or raise its limit (fs.file-max)";
  }
  return {code, fmt::format("{}: can't be {}: {}", path == "-" ? "standard input" : path, what, why)};
}

Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most) {
  // "-" is a file of this name here, because standard input holds texts, not lists.
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path == "-" ? "./-" : path.string()));
  std::string bytes;
  std::size_t size = 0;
  bytes.resize(std::min(file.stamp().size, most) + 1);  // one more byte, so that the end is noticed at once
  for (;;) {
    LEITONG_ASSIGN(const std::size_t got, file.read(bytes.data() + size, bytes.size() - size));
    if (got == 0) break;
    size += got;
    if (size > most)
      return fail(ErrorCode::limit,
                  fmt::format("{}: is larger than {} MB, the most that such a file may have", path.string(),
                              most >> 20));
    if (size == bytes.size()) bytes.resize(std::min<std::uint64_t>(2 * size + 4096, most + 1));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace leitong
