#include "command.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace leitong::cli {

Run add_nested(CLI::App& app, std::span<const Command> commands) {
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& command : commands) {
    CLI::App* nested = app.add_subcommand(std::string(command.name), std::string(command.summary));
    nested->group(std::string(command.group));
    runs.emplace_back(nested, command.add(*nested));
  }
  return [runs = std::move(runs)]() -> Result<int> {
    for (const auto& [nested, run] : runs)
      if (nested->parsed()) return run();
    return kExitOk;  // CLI11 refuses a line without a command
  };
}

}  // namespace leitong::cli
