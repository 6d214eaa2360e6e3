// The context of the running command, and what stops it: Ctrl-C, SIGTERM, a closed terminal or pipe.
#pragma once

#include <memory>

#include "base/stop.hpp"
#include "leitong/context.hpp"

namespace leitong::cli {

/// SIGINT, SIGTERM and SIGHUP stop the command with a message on stderr; a second one ends it at once with
/// code 130 and a message about what may remain. A closed pipe stops it silently: the command cleans up and
/// ends. SIGHUP stays ignored if it was ignored (nohup).
void install_signal_handlers();

[[nodiscard]] bool pipe_closed() noexcept;

/// Was the process told to stop? For what a command itself reads and writes.
[[nodiscard]] StopToken told_to_stop() noexcept;

/// A command makes one when its flags are known. Signals stop it, including earlier ones.
class CommandContext final : public Context {
 public:
  explicit CommandContext(ContextSettings settings = {});
  ~CommandContext();

 private:
  struct MoreThreads;
  std::unique_ptr<MoreThreads> more_threads_;
};

}  // namespace leitong::cli
