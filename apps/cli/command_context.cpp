#include "command_context.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>
#include <utility>

#include "exit_codes.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

// For signal handlers: there is one command in the process.
constinit std::atomic<bool> stopped{false}, closed{false};
constinit std::atomic<Context*> running{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<Context*>::is_always_lock_free);

void say(std::string_view message) {
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, message.data(), message.size());
}

/// False if a stop was requested before.
bool stop_all() {
  const bool first = !stopped.exchange(true);
  if (Context* const context = running) context->request_stop();
  return first;
}

void on_stop(int) {
  if (stop_all())
    return say("\nleitong: stopping; nothing half-written will stay (once more to leave at once)\n");
  say("leitong: left at once; hidden files and folders that end in .part may stay beside the outputs\n");
  _exit(kExitKilled);
}

// Indexes and models are mapped. A program that shortens such a file removes bytes that the run needs.
void on_lost_mapping(int) {
  say("\nleitong: an index or a model became shorter while it was in use, or its disk failed. No output was "
      "finished; "
      "hidden files that end in .part may stay. To replace such a file, rename a new one over it\n");
  _exit(exit_code_of(ErrorCode::io));
}

void on_pipe(int) {
  closed = true;
  stop_all();
}

/// Without SA_RESTART: a waiting system call returns, and its caller checks the stop.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// The library's messages are printed like the command's own.
ContextSettings with_messages(ContextSettings settings) {
  settings.log = [](LogLevel level, std::string_view message) {
    level == LogLevel::warning ? print_warning(message) : print_note(message);
  };
  return settings;
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_stop);
  handle(SIGTERM, on_stop);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, on_stop);
  handle(SIGPIPE, on_pipe);
  handle(SIGBUS, on_lost_mapping);
  handle(SIGXFSZ, SIG_IGN);  // write() then reports a file size limit as an error, like a full disk
}

bool pipe_closed() noexcept { return closed; }

StopToken told_to_stop() noexcept { return StopToken(stopped); }

/// TBB makes no more threads than cores unless its host asks for them.
struct CommandContext::MoreThreads {
  explicit MoreThreads(std::size_t threads) : limit(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control limit;
};

CommandContext::CommandContext(ContextSettings given) : Context(with_messages(std::move(given))) {
  if (const auto threads = static_cast<int>(settings().threads); threads > tbb::info::default_concurrency())
    more_threads_ = std::make_unique<MoreThreads>(settings().threads);
  running = this;
  if (stopped) request_stop();
}

CommandContext::~CommandContext() { running = nullptr; }

}  // namespace leitong::cli
