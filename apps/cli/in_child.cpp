#include "in_child.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "command_context.hpp"
#include "flags.hpp"

namespace leitong::cli {
namespace {

// The first byte of what a child sends: an error code, or this.
constexpr char kSuccess = '\x7f';

void send(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(fd, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// All data of the child. Stops it if only the parent was stopped.
std::string receive(int fd, pid_t child) {
  std::string bytes;
  char block[1 << 14];
  for (;;) {
    const ssize_t got = ::read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) {
      if (told_to_stop().stop_requested()) ::kill(child, SIGTERM);
      continue;
    }
    if (got <= 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(got));
  }
}

tl::unexpected<Error> refused(std::string_view what) {
  return fail(ErrorCode::io,
              fmt::format("can't {} a process for the method: {}", what, std::strerror(errno)));
}

}  // namespace

Result<ChildOutcome> in_child(const std::function<Result<std::string>()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return refused("reach");
  const pid_t child = ::fork();
  if (child < 0) return refused("start");
  if (child == 0) {
    ::close(ends[0]);
    const Result<std::string> result = work();
    send(ends[1], result
                      ? kSuccess + *result
                      : std::string(1, static_cast<char>(result.error().code)) + message_of(result.error()));
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string bytes = receive(ends[0], child);
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  if (bytes.empty())
    return fail(ErrorCode::io,
                WIFSIGNALED(status)
                    ? fmt::format("the method's process ended by signal {}; is there enough memory?",
                                  WTERMSIG(status))
                    : "the method's process ended early");
  if (bytes[0] != kSuccess) return fail(static_cast<ErrorCode>(bytes[0]), bytes.substr(1));
  return ChildOutcome{bytes.substr(1), static_cast<std::uint64_t>(usage.ru_maxrss) << 10};
}

}  // namespace leitong::cli
