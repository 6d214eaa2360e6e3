#include "regular_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "problem.hpp"

namespace leitong::server {
namespace {

/// Closes its descriptor at the end.
struct Opened {
  int file = -1;
  struct stat status {};

  Opened() = default;
  Opened(Opened&& other) noexcept : file(std::exchange(other.file, -1)), status(other.status) {}
  Opened& operator=(Opened&&) = delete;
  ~Opened() {
    if (file >= 0) ::close(file);
  }
};

Result<Opened> open_regular(const std::filesystem::path& path, std::string_view thing) {
  Opened opened;
  // Without O_NONBLOCK this would wait for a writer of a named pipe.
  opened.file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened.file < 0 || ::fstat(opened.file, &opened.status) != 0)
    return fail(errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                fmt::format("{}: {} can't be read: {}", path.string(), thing, std::strerror(errno)));
  if (!S_ISREG(opened.status.st_mode))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} is not a regular file", path.string(), thing));
  return opened;
}

}  // namespace

Result<RegularFile> read_regular_file(const std::filesystem::path& path, std::string_view thing,
                                      std::uint64_t most) {
  SERVER_ASSIGN(const Opened opened, open_regular(path, thing));
  RegularFile file;
  file.mode = opened.status.st_mode & 07777;
  for (std::size_t size = 0;;) {
    if (size > most)
      return fail(ErrorCode::limit, fmt::format("{}: {} has more than {} bytes", path.string(), thing, most));
    file.bytes.resize(size + std::max<std::size_t>(4096, size));
    const ssize_t n = ::read(opened.file, file.bytes.data() + size, file.bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(ErrorCode::io,
                  fmt::format("{}: {} can't be read: {}", path.string(), thing, std::strerror(errno)));
    file.bytes.resize(size += static_cast<std::size_t>(n));
    if (n == 0) return file;
  }
}

Result<void> check_regular_file(const std::filesystem::path& path, std::string_view thing) {
  SERVER_TRY(open_regular(path, thing));
  return {};
}

}  // namespace leitong::server
