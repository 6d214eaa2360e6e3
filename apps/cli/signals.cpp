#include "signals.hpp"

#include <unistd.h>
#include <csignal>
#include <string_view>

#include "exit_codes.hpp"

namespace leitong::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<bool> closed{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void on_stop(int) {
  if (stop.exchange(true)) _exit(kExitKilled);
  constexpr std::string_view kMessage =
      "\nleitong: stopping; nothing half-written will stay (once more to leave at once)\n";
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

void on_pipe(int) {
  closed = true;
  stop = true;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_stop);
  handle(SIGTERM, on_stop);
  handle(SIGPIPE, on_pipe);
  handle(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of write(), like a full disk
}

const std::atomic<bool>& stop_flag() noexcept { return stop; }
bool pipe_closed() noexcept { return closed; }

}  // namespace leitong::cli
