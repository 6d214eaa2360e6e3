// The command line is a table of commands. A new one needs a file <name>_command.cpp and a line in
// commands.cpp.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "exit_codes.hpp"
#include "leitong/result.hpp"

namespace CLI {
class App;
}

namespace leitong::cli {

/// The work of a command after its flags are parsed. Data go to stdout, everything else to stderr; an error
/// becomes a message and the exit code of its ErrorCode. Without an error the exit code is kExitOk, or the
/// one in a Result<int>.
class Run {
 public:
  template <class Do>
    requires(!std::is_same_v<Do, Run>)
  Run(Do work) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<std::invoke_result_t<Do>, Result<void>>)
      run_ = [work = std::move(work)]() -> Result<int> { return work().map([] { return kExitOk; }); };
    else
      run_ = std::move(work);
  }
  Result<int> operator()() const { return run_(); }

 private:
  std::function<Result<int>()> run_;
};

struct Command {
  std::string_view name;
  std::string_view group;    ///< heading in `leitong --help`
  std::string_view summary;  ///< one line, without a full stop
  /// Declares flags and examples (flags.hpp) and returns the work.
  Run (*add)(CLI::App& app);
};

/// Adds the commands within `app`, one of which must be named, and returns the work that runs it.
[[nodiscard]] Run add_nested(CLI::App& app, std::span<const Command> commands);

/// Every command, in the order of the help.
[[nodiscard]] std::span<const Command> commands() noexcept;

}  // namespace leitong::cli
