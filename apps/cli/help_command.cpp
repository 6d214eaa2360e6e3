#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/try.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "manual.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

/// The command for these nested names; `root` for none.
Result<const CLI::App*> find_command(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* app = &root;
  for (const std::string& word : words) {
    const auto commands = app->get_subcommands({});
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* each) { return each->get_name() == word; });
    if (found == commands.end()) {
      std::vector<std::string> names;
      for (const CLI::App* each : commands) names.push_back(each->get_name());
      const std::string near = nearest_word(word, names);
      return fail(ErrorCode::invalid_argument,
                  fmt::format("unknown command \"{}\"{}", word,
                              near.empty() ? "; see leitong --help" : "; did you mean " + near + "?"));
    }
    app = *found;
  }
  return app;
}

}  // namespace

Run add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  app.add_option("COMMAND", *words,
                 "the command; both words if it is a command within another, such as hamming join")
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
  add_examples(app,
               "Examples:\n"
               "  leitong help dedup\n"
               "  leitong help hamming join");
  return [words, &app]() -> Result<void> {
    LEITONG_ASSIGN(const CLI::App* const named, find_command(*app.get_parent(), *words));
    return print_data(render_help(*named, columns(Stream::out), !style_of(Stream::out).bold.empty()));
  };
}

}  // namespace leitong::cli
