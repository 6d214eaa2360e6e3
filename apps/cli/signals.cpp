#include "signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "base/stop.hpp"
#include "exit_codes.hpp"

namespace leitong::cli {
namespace {

std::atomic<bool> closed{false};

void on_stop(int) {
  if (stop_flag().exchange(true)) _exit(kExitKilled);
  constexpr std::string_view kMessage =
      "\nleitong: stopping; nothing half-written will stay (once more to leave at once)\n";
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

void on_pipe(int) {
  closed = true;
  stop_flag() = true;
}

/// Without SA_RESTART: a call that waits returns, and whoever made it looks at the flag.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
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

bool pipe_closed() noexcept { return closed; }

}  // namespace leitong::cli
