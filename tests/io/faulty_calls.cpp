// These definitions of C library functions are used because the program is searched before the libraries.
#include "io/faulty_calls.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <utility>

namespace leitong::testing {
namespace {

/// The result of a call, or the fault that replaces it.
long outcome(long made, int& fault) {
  if (fault == 0) return made;
  errno = std::exchange(fault, 0);
  return -1;
}

}  // namespace

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace leitong::testing

using leitong::testing::next_fault;
using leitong::testing::outcome;

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t size) {
  return outcome(next_fault.write ? 0 : ::syscall(SYS_write, fd, bytes, size), next_fault.write);
}

int close(int fd) { return static_cast<int>(outcome(::syscall(SYS_close, fd), next_fault.close)); }

int fsync(int fd) { return static_cast<int>(outcome(::syscall(SYS_fsync, fd), next_fault.fsync)); }

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return static_cast<int>(
      outcome(next_fault.renameat2 ? 0 : ::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags),
              next_fault.renameat2));
}
}
