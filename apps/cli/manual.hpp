// The common source of --help, the manual page, docs/cli.md and shell completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace leitong::cli {

struct FlagDoc {
  std::vector<std::string> names;  ///< "-o", "--output"; for a positional argument its name
  std::string value;               ///< value name, see flags.hpp; empty for a switch
  std::string help;
  std::string group;
  bool positional = false;
  bool repeatable = false;
  bool required = false;

  /// "-o, --output FILE" or "INPUT...".
  [[nodiscard]] std::string title() const;
  /// The words of a "a|b|c" value.
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] bool takes_path() const;
};

struct CommandDoc {
  std::string name;  ///< empty for leitong itself, "hamming join" for a nested command
  std::string group;
  std::string summary;
  std::vector<FlagDoc> flags;  ///< arguments, then the order of declaration, --help last
  std::string footer;          ///< examples and notes, unchanged
};

/// Reads the parser's own declarations: the flags of `app`, without those of subcommands.
[[nodiscard]] CommandDoc describe(const CLI::App& app);
/// leitong itself, which has `command` as a subcommand.
[[nodiscard]] const CLI::App& program_of(const CLI::App& command);
/// Every subcommand, in the order of the table, each followed by its nested ones.
[[nodiscard]] std::vector<CommandDoc> describe_commands(const CLI::App& root);
/// Only the direct subcommands of `root`. A command with nested ones has their names as its argument, and the
/// flags of all of them: this is what completion offers.
[[nodiscard]] std::vector<CommandDoc> describe_first_words(const CLI::App& root);

/// A chapter of the manual without flags: exit status, environment. Entries are term and text.
struct Chapter {
  std::string title;
  std::vector<std::pair<std::string, std::string>> entries;
};
[[nodiscard]] std::vector<Chapter> chapters();

/// The output of `leitong --help` and `leitong COMMAND --help`, wrapped to `width` columns.
[[nodiscard]] std::string render_help(const CLI::App& app, std::size_t width, bool colour);
/// The output of -h: the usual flags or commands and two examples, at most 25 lines of 80 columns.
[[nodiscard]] std::string render_short_help(const CLI::App& app);
/// leitong(1) in man macros.
[[nodiscard]] std::string render_man(const CLI::App& root);
/// docs/cli.md.
[[nodiscard]] std::string render_markdown(const CLI::App& root);
/// A completion script; `shell` is bash, zsh or fish.
[[nodiscard]] std::string render_completion(const CLI::App& root, std::string_view shell);

/// The known word nearest to a mistyped one, or nothing if none is near.
[[nodiscard]] std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

}  // namespace leitong::cli
