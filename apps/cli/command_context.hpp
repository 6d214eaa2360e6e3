// The context of the command that runs, and what stops it: Ctrl-C, SIGTERM, a closed terminal or pipe.
#pragma once

#include <memory>

#include "base/stop.hpp"
#include "leitong/context.hpp"

namespace leitong::cli {

/// SIGINT, SIGTERM and SIGHUP stop the command and say so on stderr; the second of them leaves at once with
/// code 130, and says what may stay. A closed pipe stops it without a word: the command cleans up and ends.
/// SIGHUP stays ignored where it was ignored (nohup).
void install_signal_handlers();

[[nodiscard]] bool pipe_closed() noexcept;

/// Was the process told to stop? For what a command reads and writes itself.
[[nodiscard]] StopToken told_to_stop() noexcept;

/// A command makes one when it knows its flags. The signals stop it, also those that came before.
class CommandContext final : public Context {
 public:
  explicit CommandContext(ContextSettings settings = {});
  ~CommandContext();

 private:
  struct MoreThreads;
  std::unique_ptr<MoreThreads> more_threads_;
};

}  // namespace leitong::cli
