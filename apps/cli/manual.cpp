#include "manual.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "exit_codes.hpp"

namespace leitong::cli {

std::string FlagDoc::title() const {
  if (positional) return names.front() + (repeatable ? "..." : "");
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!value.empty()) text += " " + value;
  return text;
}

std::vector<std::string> FlagDoc::words() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool FlagDoc::takes_path() const {
  return value.find("FILE") != std::string::npos || value.find("DIR") != std::string::npos;
}

namespace {

/// "hamming join": the words that name a command after the program's name.
std::string full_name(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "";
  const std::string above = full_name(*app.get_parent());
  return above.empty() ? app.get_name() : above + " " + app.get_name();
}

}  // namespace

CommandDoc describe(const CLI::App& app) {
  CommandDoc doc;
  doc.name = full_name(app);
  doc.group = app.get_group();
  doc.summary = app.get_description();
  doc.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an old name
    FlagDoc flag;
    flag.positional = option->get_positional();
    if (flag.positional) {
      flag.names.push_back(option->get_name(true));
    } else {
      for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    }
    if (option->get_type_size_max() > 0) flag.value = option->get_type_name();
    flag.help = option->get_description();
    flag.group = option->get_group();
    flag.repeatable = option->get_expected_max() > 1;
    flag.required = option->get_required();
    doc.flags.push_back(std::move(flag));
  }
  // Arguments first; flags that every command has last.
  std::stable_sort(doc.flags.begin(), doc.flags.end(), [](const FlagDoc& x, const FlagDoc& y) {
    const auto place = [](const FlagDoc& flag) {
      return flag.positional ? 0 : flag.names.back() == "--help" ? 2 : 1;
    };
    return place(x) < place(y);
  });
  return doc;
}

const CLI::App& program_of(const CLI::App& command) { return *command.get_parent(); }

std::vector<CommandDoc> describe_commands(const CLI::App& root) {
  std::vector<CommandDoc> docs;
  for (const CLI::App* app : root.get_subcommands({})) {
    docs.push_back(describe(*app));
    for (CommandDoc& nested : describe_commands(*app)) docs.push_back(std::move(nested));
  }
  return docs;
}

std::vector<CommandDoc> describe_first_words(const CLI::App& root) {
  std::vector<CommandDoc> docs;
  for (const CLI::App* app : root.get_subcommands({})) {
    CommandDoc doc = describe(*app);
    std::string words;
    for (const CLI::App* nested : app->get_subcommands({})) {
      words += (words.empty() ? "" : "|") + nested->get_name();
      for (FlagDoc& flag : describe(*nested).flags) {
        const auto same = [&](const FlagDoc& known) { return known.names == flag.names; };
        if (!flag.positional && std::none_of(doc.flags.begin(), doc.flags.end(), same))
          doc.flags.push_back(std::move(flag));
      }
    }
    if (!words.empty()) {
      FlagDoc command;
      command.names = {"COMMAND"};
      command.value = std::move(words);
      command.positional = command.required = true;
      doc.flags.insert(doc.flags.begin(), std::move(command));
    }
    docs.push_back(std::move(doc));
  }
  return docs;
}

std::vector<Chapter> chapters() {
  Chapter exits{"Exit status", {}};
  for (const ExitCode& exit : exit_codes())
    exits.entries.emplace_back(std::to_string(exit.code), exit.meaning);
  Chapter environment{
      "Environment",
      {{"NO_COLOR", "if it is set and not empty, nothing is coloured, not even on a terminal"},
       {"LEITONG_SIMD",
        "scalar, avx2 or avx512: use no newer instructions than these; the results are the same"},
       {"LEITONG_DATA", "the folder of dictionaries; components are looked for beside it"},
       {"LEITONG_REDIS_USER, LEITONG_REDIS_PASSWORD", "for an index on Redis whose place names none"}}};
  Chapter streams{
      "Streams",
      {{"stdout", "only data: the outputs of -o - and --json, tables and scripts"},
       {"stderr", "messages, warnings and the summary; on a terminal also the progress"},
       {"names",
        "\"-\" stands for standard input or output; names that end in .gz, .zst, .bz2 or .xz are "
        "compressed"},
       {"patterns",
        "an input that does not exist and has one of * ? [ in its name stands for the files that match, in "
        "the order of their bytes: * and ? for characters of one name, [..] for one of these characters, ** "
        "for any number of folders. Quote it, so that the shell does not expand it"}}};
  return {exits, environment, streams};
}

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  std::string best;
  // A suggestion that misleads is worse than none: one slip in a short word, two in a long one.
  const std::size_t letters = typed.size() - std::min(typed.find_first_not_of('-'), typed.size());
  std::size_t best_distance = (letters < 6 ? 1 : letters < 12 ? 2 : 3) + 1;
  std::vector<std::size_t> row;
  for (const std::string& word : words) {
    row.resize(word.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= typed.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= word.size(); ++j) {
        const std::size_t change = diagonal + (typed[i - 1] == word[j - 1] ? 0 : 1);
        diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = word;
    }
  }
  return best;
}

}  // namespace leitong::cli
