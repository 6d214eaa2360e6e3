#include "data_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "problem.hpp"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The default folder of the indexes; empty if there is none.
fs::path usual_folder() {
  if (const std::string state = environment("STATE_DIRECTORY"); !state.empty()) return state;
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty()) return fs::path(data) / "leitong";
  if (const std::string home = environment("HOME"); !home.empty())
    return fs::path(home) / ".local/share/leitong";
  return {};
}

/// The process that has the lock writes its number to the file.
std::string holder_of(int file) {
  char text[24] = "";
  const ssize_t n = ::pread(file, text, sizeof text - 1, 0);
  return n > 0 ? fmt::format(" (process {})", std::string(text, text + n)) : "";
}

}  // namespace

struct DataFolder::Lock {
  explicit Lock(int descriptor) : file(descriptor) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { ::close(file); }

  int file;
};

DataFolder::DataFolder(fs::path path, std::unique_ptr<Lock> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}
DataFolder::DataFolder(DataFolder&&) noexcept = default;
DataFolder& DataFolder::operator=(DataFolder&&) noexcept = default;
DataFolder::~DataFolder() = default;

Result<DataFolder> DataFolder::open(const Config& config) {
  fs::path folder = config.data.empty() ? usual_folder() : config.data;
  if (folder.empty())
    return fail(ErrorCode::invalid_argument,
                "there is no home folder to keep indexes in; name a data folder");
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (made) fs::permissions(folder, fs::perms::owner_all, error);  // it holds other people's texts
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", folder.string(), error.message()));
  const fs::path path = folder / ".lock";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return fail(ErrorCode::io, fmt::format("{}: can't be opened: {}", path.string(), std::strerror(errno)));
  auto lock = std::make_unique<Lock>(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return fail(ErrorCode::io, fmt::format("{}: can't be locked: {}", path.string(), std::strerror(errno)));
    return fail(ErrorCode::io,
                fmt::format("{}: another server{} has this data folder; stop it, or name another folder",
                            folder.string(), holder_of(file)));
  }
  const std::string own = std::to_string(::getpid());
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, own.data(), own.size(), 0) < 0) {
    // A full disk: the number is only for a message.
  }
  return DataFolder(std::move(folder), std::move(lock));
}

bool DataFolder::is_there() const noexcept {
  struct stat held {};
  struct stat now {};
  return ::fstat(lock_->file, &held) == 0 && ::stat((path_ / ".lock").c_str(), &now) == 0 &&
         held.st_dev == now.st_dev && held.st_ino == now.st_ino;
}

}  // namespace leitong::server
