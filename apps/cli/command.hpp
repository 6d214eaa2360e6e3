// The command line is a table of commands. Adding one takes one file <name>_command.cpp and one line in
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

/// What a command does once its flags are parsed. Data goes to stdout, everything else to stderr; an error
/// becomes a message and the exit code of its ErrorCode. The exit code is kExitOk without an error, or what
/// the command gives in a Result<int>.
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
  /// Declares flags and examples (flags.hpp) and returns what runs.
  Run (*add)(CLI::App& app);
};

/// Adds the commands within `app`, of which one must be named, and returns what runs the one that was.
[[nodiscard]] Run add_nested(CLI::App& app, std::span<const Command> commands);

/// Every command, in the order of the help.
[[nodiscard]] std::span<const Command> commands() noexcept;

}  // namespace leitong::cli
