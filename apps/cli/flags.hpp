// How commands declare flags, so that help, manual and completion show all of them in the same way. Commands
// do not include the parser, whose header takes longer to compile than most commands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/settings.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace leitong::cli {

/// A declared flag, for properties that most flags do not need.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}
  /// The heading in the help, instead of "Options".
  Flag& group(const std::string& heading);
  /// The command is refused without it.
  Flag& required(bool yes = true);
  /// Was it on the command line?
  [[nodiscard]] bool given() const;
  /// The name in messages: "--name".
  [[nodiscard]] std::string name() const;

 private:
  CLI::Option* option_;
};

/// Which settings of a structure a command takes.
struct Choice {
  std::vector<std::string_view> names = {};
  bool only = false;  ///< true: only these; false: all except these

  [[nodiscard]] bool has(std::string_view name) const {
    return (std::find(names.begin(), names.end(), name) != names.end()) == only;
  }
};
[[nodiscard]] inline Choice only(std::vector<std::string_view> names) { return {std::move(names), true}; }
[[nodiscard]] inline Choice all_but(std::vector<std::string_view> names) { return {std::move(names), false}; }

/// A flag for a setting of the library; its value goes where the setting is kept. A switch inverts the
/// default.
Flag add_setting(CLI::App& app, const Setting& setting, const SettingValue& value);
/// The same for the settings of a structure, in the order of the table.
template <class Owner>
std::vector<Flag> add_settings(CLI::App& app, Owner& owner, const Choice& choice = {}) {
  std::vector<Flag> flags;
  each_setting(owner, [&](const Setting& setting, const SettingValue& value) {
    if (choice.has(setting.name)) flags.push_back(add_setting(app, setting, value));
  });
  return flags;
}

// Flags that only one command has are declared by the command. All texts are literals. The value name appears
// in the help and determines the completion: FILE and DIR complete to paths, "a|b|c" to these words, one of
// which the value must be.

using Literal = std::string_view;

Flag add_switch(CLI::App& app, Literal names, bool& value, Literal help);
/// A text value; an empty one is refused.
Flag add_text(CLI::App& app, Literal names, std::string& value, Literal value_name, Literal help);
/// The same for a value that may be empty.
Flag add_any_text(CLI::App& app, Literal names, std::string& value, Literal value_name, Literal help);
/// Text values, none of them empty; the flag may be repeated, or its values joined by commas.
Flag add_list(CLI::App& app, Literal names, std::vector<std::string>& values, Literal value_name,
              Literal help);
/// One of several words that are known only at run time.
Flag add_choice(CLI::App& app, Literal names, std::string& value, std::vector<std::string> (*words)(),
                Literal help);
/// A number within [low, high]; a whole one if the type is integral ("1e9" is allowed).
template <class Number>
Flag add_number(CLI::App& app, Literal names, Number& value, Literal value_name, double low, double high,
                Literal help) {
  return add_setting(app, {.value = value_name, .help = help, .low = low, .high = high, .flag = names},
                     &value);
}
/// A size in bytes, as parse_size() reads it; 0 is refused.
Flag add_size(CLI::App& app, Literal names, std::uint64_t& bytes, Literal help);
/// -q, --quiet, the same in every command: silences print_note() and the progress display.
void add_quiet(CLI::App& app);
/// Positional arguments.
Flag add_arguments(CLI::App& app, Literal name, std::vector<std::string>& values, Literal help);
/// The examples at the end of the help, with the text before them.
void add_examples(CLI::App& app, const std::string& text);
/// --threads, --encoding and --strict for commands that work line by line.
void add_line_flags(CLI::App& app, unsigned& threads, std::string& encoding, bool& strict);

/// --all-scripts: words of scripts that jieba does not know, by the rules of these scripts
/// (text/script_mix.hpp).
void add_all_scripts(CLI::App& app, bool& all_scripts);

/// --phrases: words that hold spaces (text/phrases.hpp).
void add_phrases(CLI::App& app, std::string& path);

/// The message of an error, with the flags of the settings that it concerns.
[[nodiscard]] std::string message_of(const Error& error);

}  // namespace leitong::cli
