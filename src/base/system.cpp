#include "base/system.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/random.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <sys/random.h>
#endif

namespace leitong::system {
namespace {

namespace fs = std::filesystem;

std::error_code outcome(int status) noexcept {
  return status == 0 ? std::error_code() : std::error_code(errno, std::generic_category());
}

/// The number of entries in a folder of this process's descriptors, without the descriptor that reads it.
std::optional<std::size_t> entries_of(const char* folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  if (error) return std::nullopt;
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries))) - 1;
}

}  // namespace

#if defined(__linux__)

namespace {

/// The number that a file of the kernel consists of. None if it says something else, such as "max".
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes << 10;
  return std::nullopt;
}

}  // namespace

fs::path program_file() {
  std::error_code unknown;
  if (fs::path program = fs::read_symlink("/proc/self/exe", unknown); !unknown) return program;
  // In a root without /proc: the name with which the kernel started the program.
  const auto* const started =
      reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT(performance-no-int-to-ptr)
  return started == nullptr ? fs::path() : fs::canonical(started, unknown);
}

int open_unnamed(const fs::path& folder) noexcept {
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

std::error_code name_unnamed(int descriptor, const fs::path& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
  return outcome(::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW));
}

std::error_code rename_to_new(const fs::path& from, const fs::path& to) noexcept {
  return outcome(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
}

std::error_code sync_content(int descriptor) noexcept { return outcome(::fdatasync(descriptor)); }

std::error_code sync_tree(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return outcome(-1);
  // One call for all files and folders below, which may be millions.
  const std::error_code error = outcome(::syncfs(descriptor));
  ::close(descriptor);
  return error;
}

void expect_sequential_reads(int descriptor) noexcept {
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
}

std::int64_t changed_at(const struct stat& status) noexcept {
  return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

void widen_pipe(int descriptor) noexcept {
  constexpr int kMostInPipe = 1 << 20;
  ::fcntl(descriptor, F_SETPIPE_SZ, kMostInPipe);
}

int open_local_datagrams() noexcept { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

Lock shared_lock(int descriptor) noexcept {
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return Lock::held;
  const int error = errno;
  if (error != EAGAIN && error != EACCES) return Lock::failed;
  const bool here =
      ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK && whole.l_pid == ::getpid();
  return here ? Lock::held_here : Lock::refused;
}

void fill_random(void* out, std::size_t size) noexcept {
  // So few bytes are never cut short; a signal may interrupt before the first of them.
  while (::getrandom(out, size, 0) != static_cast<ssize_t>(size)) {
  }
}

void prefer_huge_pages(void* begin, std::size_t bytes) noexcept { ::madvise(begin, bytes, MADV_HUGEPAGE); }

std::uint64_t available_memory() {
  std::uint64_t available = free_memory().value_or(UINT64_MAX);
  // Of control groups in their second and first version, as a container sees its own.
  constexpr std::array<std::array<const char*, 2>, 2> kGroups = {
      {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
       {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}};
  for (const auto& [limit_file, used_file] : kGroups) {
    const auto limit = number_in(limit_file), used = number_in(used_file);
    if (limit && used) available = std::min(available, *limit - std::min(*limit, *used));
  }
  return available;
}

std::optional<std::uint64_t> resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0, resident = 0;
  if (!(statm >> pages >> resident)) return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<std::size_t> open_descriptors() { return entries_of("/proc/self/fd"); }

#else

int open_unnamed(const fs::path&) noexcept {
  errno = ENOTSUP;
  return -1;
}

std::error_code name_unnamed(int, const fs::path&) { return std::make_error_code(std::errc::not_supported); }

void widen_pipe(int) noexcept {}

// A program that another thread starts between the two calls inherits the socket.
int open_local_datagrams() noexcept {
  const int opened = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  if (opened >= 0) ::fcntl(opened, F_SETFD, FD_CLOEXEC);
  return opened;
}

// This system has only locks of whole processes: the lock excludes other processes, as the one for writing
// does.
Lock shared_lock(int descriptor) noexcept {
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_SETLK, &whole) == 0) return Lock::held;
  return errno == EAGAIN || errno == EACCES ? Lock::refused : Lock::failed;
}

void prefer_huge_pages(void*, std::size_t) noexcept {}

#if defined(__APPLE__)

fs::path program_file() {
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  if (::_NSGetExecutablePath(name.data(), &size) != 0) return {};
  std::error_code unknown;
  return fs::canonical(name.c_str(), unknown);
}

std::error_code rename_to_new(const fs::path& from, const fs::path& to) noexcept {
  const std::error_code error = outcome(::renamex_np(from.c_str(), to.c_str(), RENAME_EXCL));
  return error == std::errc::not_supported ? std::make_error_code(std::errc::invalid_argument) : error;
}

// fsync() may leave the bytes in the disk's cache. A file system without the better call has fsync().
std::error_code sync_content(int descriptor) noexcept {
  return ::fcntl(descriptor, F_FULLFSYNC) == 0 ? std::error_code() : outcome(::fsync(descriptor));
}

void expect_sequential_reads(int descriptor) noexcept { ::fcntl(descriptor, F_RDAHEAD, 1); }

std::int64_t changed_at(const struct stat& status) noexcept {
  return status.st_mtimespec.tv_sec * 1'000'000'000 + status.st_mtimespec.tv_nsec;
}

void fill_random(void* out, std::size_t size) noexcept {
  while (::getentropy(out, size) != 0) {
  }
}

std::uint64_t available_memory() {
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (::host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages),
                          &count) != KERN_SUCCESS)
    return UINT64_MAX;
  // Memory that caches files is given to any process that needs it.
  const std::uint64_t available = std::uint64_t{pages.free_count} + pages.inactive_count;
  return available * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<std::uint64_t> resident_bytes() {
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (::task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &count) !=
      KERN_SUCCESS)
    return std::nullopt;
  return info.resident_size;
}

std::optional<std::size_t> open_descriptors() { return entries_of("/dev/fd"); }

#else
#error "base/system.cpp knows Linux and macOS; another system needs its counterparts here"
#endif

std::error_code sync_tree(const fs::path& folder) {
  std::error_code error;
  const auto sync = [&error](const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    error = descriptor < 0 ? outcome(-1) : sync_content(descriptor);
    if (descriptor >= 0) ::close(descriptor);
    return !error;
  };
  std::error_code unlisted;
  for (fs::recursive_directory_iterator entry(folder, unlisted), end; !unlisted && entry != end;
       entry.increment(unlisted))
    if (!entry->is_symlink() && !sync(entry->path())) return error;
  if (unlisted) return unlisted;
  sync(folder);
  return error;
}

#endif

#if defined(__GLIBC__)

void bound_freed_memory(std::size_t returned_from, std::size_t most_kept, std::size_t at_once) noexcept {
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(returned_from));
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(most_kept));
  if (at_once != 0) ::mallopt(M_TOP_PAD, static_cast<int>(at_once));
}

void return_freed_memory() noexcept { ::malloc_trim(0); }

#else

// Other allocators have no such setting.
void bound_freed_memory(std::size_t, std::size_t, std::size_t) noexcept {}
void return_freed_memory() noexcept {}

#endif

}  // namespace leitong::system
