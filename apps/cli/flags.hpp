// How commands declare flags, so that help, manual and completion can show all of them alike. Commands see
// nothing else of the parser, whose header takes longer to compile than most commands.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace leitong::cli {

/// A flag that was declared, for what most flags don't need.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}
  /// The help shows it below this heading instead of "Options".
  Flag& group(const std::string& heading);
  /// The command is refused without it.
  Flag& required(bool yes = true);
  /// A value that was renamed: the old word works for one version more, with a warning.
  Flag& renamed(const std::string& old, const std::string& now);
  /// Did it stand on the command line?
  [[nodiscard]] bool given() const;
  /// As messages call it: "--name".
  [[nodiscard]] std::string name() const;

 private:
  CLI::Option* option_;
};

// The value name is what the help shows and what completion goes by: FILE and DIR complete to paths, "a|b|c"
// to these words.

/// A switch.
Flag add_switch(CLI::App& app, const std::string& names, bool& value, const std::string& help);
/// One text value; an empty one is refused.
Flag add_text(CLI::App& app, const std::string& names, std::string& value, const std::string& value_name,
              const std::string& help);
/// The same of a value that may be empty.
Flag add_any_text(CLI::App& app, const std::string& names, std::string& value, const std::string& value_name,
                  const std::string& help);
/// Text values, none of them empty; the flag may be repeated, or its values joined by commas.
Flag add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
              const std::string& value_name, const std::string& help);
/// A text value that is a parameter of the method: "name=value" is added to `params`, after what the flag
/// that was declared for them before has brought.
Flag add_param(CLI::App& app, const std::string& names, std::vector<std::string>& params,
               const std::string& name, const std::string& value_name, const std::string& help);
/// One of some words; anything else is refused with the list.
Flag add_choice(CLI::App& app, const std::string& names, std::string& value,
                const std::vector<std::string>& words, const std::string& help);
/// Old names of a flag that work for one version more, with a warning: not in the help, the manual or
/// completion.
void add_old_switch(CLI::App& app, const std::string& name, bool& value, const std::string& now);
/// `words`: all that the value may be, or none: any text.
void add_old_text(CLI::App& app, const std::string& name, std::string& value,
                  const std::vector<std::string>& words, const std::string& now);
/// A number within [low, high].
Flag add_number(CLI::App& app, const std::string& names, double& value, const std::string& value_name,
                double low, double high, const std::string& help);
Flag add_number(CLI::App& app, const std::string& names, std::optional<double>& value,
                const std::string& value_name, double low, double high, const std::string& help);
/// A whole number within [low, high]; "1e9" is one, too.
Flag add_whole(CLI::App& app, const std::string& names, std::uint64_t& value, const std::string& value_name,
               std::uint64_t low, std::uint64_t high, const std::string& help);
Flag add_whole(CLI::App& app, const std::string& names, unsigned& value, const std::string& value_name,
               unsigned low, unsigned high, const std::string& help);
/// --threads, of which every command allows as many.
Flag add_threads(CLI::App& app, unsigned& threads, const std::string& help);
/// A size in bytes, as parse_size() reads it; 0 is refused.
Flag add_size(CLI::App& app, const std::string& names, std::uint64_t& bytes, const std::string& help);
/// -q, --quiet, the same in every command: silences print_note() and the display of progress.
void add_quiet(CLI::App& app);
/// Positional arguments.
Flag add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                   const std::string& help);
/// The examples at the end of the help, and what it says in front of them.
void add_examples(CLI::App& app, const std::string& text);
/// --threads, --encoding and --strict of the commands that work line by line.
void add_line_flags(CLI::App& app, unsigned& threads, std::string& encoding, bool& strict);

}  // namespace leitong::cli
