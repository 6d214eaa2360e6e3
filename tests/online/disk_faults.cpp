#include "online/disk_faults.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>

namespace leitong::testing {
namespace {

enum class Kind : std::uint8_t { read, write };

struct File {
  std::uint64_t synced = 0;  // bytes
  std::uint64_t made = 0;    // when it was made, if its folder was not synchronised since; otherwise 0
};

class Disk {
 public:
  explicit Disk(const DiskFaults& faults)
      : faults_(faults), folder_(faults.folder.string()), random_(faults.seed) {}

  /// One call at a time, so that a power loss finds a state that existed.
  std::mutex mutex;

  [[nodiscard]] bool holds(std::string_view path) const { return path.starts_with(folder_); }
  [[nodiscard]] bool holds(int descriptor) const { return open_.contains(descriptor); }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  void set(DiskFault fault) {
    faults_.fault = fault;
    faults_.call = calls_ + 1;
  }

  [[nodiscard]] const std::string& path(int descriptor) const { return open_.at(descriptor); }

  /// Decides whether this call fails, and then sets errno. With a power loss or a kill it does not return.
  template <class BeforeKill>
  bool fails(Kind kind, DiskCall call, std::string_view path, BeforeKill before_kill) {
    if ((faults_.only && faults_.only != call) || path.find(faults_.file) == std::string_view::npos)
      return false;
    ++calls_;
    const bool begun = faults_.fault != DiskFault::none && calls_ >= faults_.call;
    if (!begun || (faults_.fault == DiskFault::once && calls_ > faults_.call)) return false;
    if (faults_.fault == DiskFault::full && kind == Kind::read) return false;
    if (faults_.fault == DiskFault::power_loss) lose_power();
    if (faults_.fault == DiskFault::kill) {
      before_kill();
      ::kill(::getpid(), SIGKILL);
      ::pause();
    }
    errno = faults_.fault == DiskFault::full ? ENOSPC : EIO;
    return true;
  }

  void opened(int descriptor, const std::string& path, bool is_new, bool is_emptied) {
    open_[descriptor] = path;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    const auto [at, unknown] = files_.try_emplace(path);
    if (unknown) at->second = is_new ? File{0, ++made_} : File{static_cast<std::uint64_t>(status.st_size), 0};
    if (is_emptied) at->second.synced = 0;
  }
  void closed(int descriptor) { open_.erase(descriptor); }
  void synced(int descriptor) {
    const std::string& path = open_[descriptor];
    if (const auto file = files_.find(path); file != files_.end()) {
      file->second.synced = size_of(path);
      return;
    }
    for (auto& [name, file] : files_)
      if (std::filesystem::path(name).parent_path() == path) file.made = 0;
  }
  // File systems with a journal keep the order of names: if this name exists, earlier ones do, too.
  void renamed(const std::string& from, const std::string& to) {
    for (auto& [name, file] : files_) file.made = 0;
    if (auto file = files_.extract(from)) {
      files_.erase(to);
      file.key() = to;
      files_.insert(std::move(file));
    }
    for (auto& [descriptor, path] : open_)
      if (path == from) path = to;
  }
  void removed(const std::string& path) { files_.erase(path); }
  void cut(int descriptor, std::uint64_t size) {
    if (const auto file = files_.find(open_[descriptor]); file != files_.end())
      file->second.synced = std::min(file->second.synced, size);
  }

 private:
  static std::uint64_t size_of(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

  [[noreturn]] void lose_power() {
    const std::uint64_t last = random_() % (made_ + 1);
    for (const auto& [path, file] : files_) {
      if (file.made > last) {
        ::syscall(SYS_unlink, path.c_str());
        continue;
      }
      const std::uint64_t size = size_of(path);
      if (size <= file.synced) continue;
      const std::uint64_t left = file.synced + random_() % (size - file.synced + 1);
      if (::truncate(path.c_str(), static_cast<off_t>(left)) != 0) ::_exit(1);
      if (faults_.torn) tear(path, file.synced, left);
    }
    ::_exit(kPowerLost);
  }

  /// A page that was never written holds zeros.
  void tear(const std::string& path, std::uint64_t synced, std::uint64_t size) {
    constexpr std::uint64_t kPage = 4096;
    const int file = static_cast<int>(::syscall(SYS_open, path.c_str(), O_WRONLY));
    for (std::uint64_t page = synced; page < size; page = (page / kPage + 1) * kPage) {
      if (random_() % 2 == 0) continue;
      const std::string zeros(std::min((page / kPage + 1) * kPage, size) - page, '\0');
      ::syscall(SYS_pwrite64, file, zeros.data(), zeros.size(), page);
    }
    ::syscall(SYS_close, file);
  }

  DiskFaults faults_;
  const std::string folder_;
  std::uint64_t calls_ = 0, made_ = 0;
  std::map<int, std::string> open_;
  std::map<std::string, File> files_;
  std::mt19937 random_;
};

// Never destroyed, since other threads may write until the process has ended.
std::atomic<Disk*> disk{nullptr};

constexpr auto nothing_else = [](Disk&) {};
constexpr auto nothing_before = [] {};

/// The result of the system for a call on a descriptor, unless the disk makes it fail.
template <class Call, class Then, class BeforeKill = decltype(nothing_before)>
long on_descriptor(int descriptor, Kind kind, DiskCall which, Call call, Then then,
                   BeforeKill before_kill = nothing_before) {
  Disk* const faulty = disk;
  if (faulty == nullptr) return call();
  const std::scoped_lock lock(faulty->mutex);
  if (!faulty->holds(descriptor)) return call();
  if (faulty->fails(kind, which, faulty->path(descriptor), before_kill)) return -1;
  const long result = call();
  if (result >= 0) then(*faulty);
  return result;
}

/// `to`: the other path of a call with two.
template <class Call, class Then>
long on_path(const char* path, DiskCall which, Call call, Then then, const char* to = "") {
  Disk* const faulty = disk;
  if (faulty == nullptr || !faulty->holds(path)) return call();
  const std::scoped_lock lock(faulty->mutex);
  if (faulty->fails(Kind::write, which, std::string(path) + " " + to, nothing_before)) return -1;
  const long result = call();
  if (result >= 0) then(*faulty);
  return result;
}

}  // namespace

void put_on_faulty_disk(const DiskFaults& faults) { disk = new Disk(faults); }

void set_disk_fault(DiskFault fault) {
  const std::scoped_lock lock(disk.load()->mutex);
  disk.load()->set(fault);
}

void take_off_faulty_disk() { disk = nullptr; }

std::uint64_t disk_calls() { return disk.load()->calls(); }

}  // namespace leitong::testing

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
using namespace leitong::testing;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
  va_end(more);
  Disk* const faulty = disk;
  if (faulty == nullptr || !faulty->holds(path))
    return static_cast<int>(::syscall(SYS_open, path, flags, mode));
  const std::scoped_lock lock(faulty->mutex);
  const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
  const bool is_new = (flags & O_CREAT) != 0 && ::access(path, F_OK) != 0;
  if (faulty->fails(writes ? Kind::write : Kind::read, is_new ? DiskCall::make : DiskCall::other, path,
                    nothing_before))
    return -1;
  const int descriptor = static_cast<int>(::syscall(SYS_open, path, flags, mode));
  if (descriptor >= 0) faulty->opened(descriptor, path, is_new, (flags & O_TRUNC) != 0);
  return descriptor;
}

int close(int descriptor) {
  if (Disk* const faulty = disk) {
    const std::scoped_lock lock(faulty->mutex);
    faulty->closed(descriptor);
  }
  return static_cast<int>(::syscall(SYS_close, descriptor));
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  return on_descriptor(
      descriptor, Kind::write, DiskCall::write, [&] { return ::syscall(SYS_write, descriptor, bytes, size); },
      nothing_else, [&] { ::syscall(SYS_write, descriptor, bytes, size / 2); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  return on_descriptor(
      descriptor, Kind::write, DiskCall::write,
      [&] { return ::syscall(SYS_pwrite64, descriptor, bytes, size, at); }, nothing_else,
      [&] { ::syscall(SYS_pwrite64, descriptor, bytes, size / 2, at); });
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  return on_descriptor(
      descriptor, Kind::read, DiskCall::other, [&] { return ::syscall(SYS_read, descriptor, bytes, size); },
      nothing_else);
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t at) {
  return on_descriptor(
      descriptor, Kind::read, DiskCall::other,
      [&] { return ::syscall(SYS_pread64, descriptor, bytes, size, at); }, nothing_else);
}

int fsync(int descriptor) {
  return static_cast<int>(on_descriptor(
      descriptor, Kind::write, DiskCall::sync, [&] { return ::syscall(SYS_fsync, descriptor); },
      [&](Disk& faulty) { faulty.synced(descriptor); }));
}

int fdatasync(int descriptor) { return fsync(descriptor); }

int ftruncate(int descriptor, off_t size) noexcept {
  return static_cast<int>(on_descriptor(
      descriptor, Kind::write, DiskCall::other, [&] { return ::syscall(SYS_ftruncate, descriptor, size); },
      [&](Disk& faulty) { faulty.cut(descriptor, static_cast<std::uint64_t>(size)); }));
}

int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(on_path(
      from, DiskCall::rename, [&] { return ::syscall(SYS_rename, from, to); },
      [&](Disk& faulty) { faulty.renamed(from, to); }, to));
}

int unlink(const char* path) noexcept {
  return static_cast<int>(on_path(
      path, DiskCall::remove, [&] { return ::syscall(SYS_unlink, path); },
      [&](Disk& faulty) { faulty.removed(path); }));
}

int mkdir(const char* path, mode_t mode) noexcept {
  return static_cast<int>(on_path(
      path, DiskCall::make, [&] { return ::syscall(SYS_mkdir, path, mode); }, nothing_else));
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
