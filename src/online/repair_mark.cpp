#include "online/repair_mark.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/try.hpp"
#include "io/staged.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

RepairMark::RepairMark(const fs::path& place) : path_(place.empty() ? place : place / "being-repaired") {}
RepairMark::~RepairMark() {
  if (file_ >= 0) ::close(file_);
}

bool RepairMark::is_set() const {
  std::error_code error;
  return !path_.empty() && fs::exists(path_, error);
}

Result<void> RepairMark::set() {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0)
      return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", path_.string(), std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      return fail(ErrorCode::io,
                  fmt::format("{}: another process repairs this index", path_.parent_path().string()));
    // The process that repaired it may have removed the file between the two calls.
    struct stat status {};
    if (::fstat(file_, &status) == 0 && status.st_nlink > 0) return sync_folder_of(path_);
    ::close(std::exchange(file_, -1));
  }
}

Result<void> RepairMark::clear() {
  std::error_code error;
  fs::remove(path_, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be removed: {}", path_.string(), error.message()));
  return sync_folder_of(path_);
}

}  // namespace leitong::online
