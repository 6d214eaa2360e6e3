// leitong -h and leitong COMMAND -h: what most people need, in 25 lines of 80 columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "manual.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kTextColumn = 24, kWidth = 80, kMostFlags = 12;

// The flags that most people use, in this order, of those that a command has.
constexpr std::array kUsual{
    "--output",   "--report",         "--keep",     "--removed", "--index",     "--add",       "--gold",
    "--against",  "--against-fields", "--action",   "--hits",    "--part",      "--documents", "--least",
    "--spans",    "--text-field",     "--id-field", "--kind",    "--reference", "--threshold", "--method",
    "--clusters", "--pairs",          "--from",     "--to",      "--items",     "--format",    "--json",
    "--dry-run",  "--listen",         "--config",   "--data",    "--passages",  "--matches",   "--exit-code",
    "--force",    "--threads",        "--memory"};
constexpr std::array kUsualCommands{"dedup", "pairs",         "check",   "add",    "serve",
                                    "trim",  "decontaminate", "compare", "methods"};

/// The first statement of a help text, in one line.
std::string in_short(std::string_view text) {
  // "TSV, or Parquet by the name: .." says what it holds behind the colon.
  if (const std::size_t colon = text.find(": ");
      (text.starts_with("JSONL") || text.starts_with("TSV")) && colon != std::string_view::npos)
    text.remove_prefix(colon + 2);
  std::size_t end = text.size();
  for (const std::string_view mark : {"; ", ". ", ": ", " ("}) end = std::min(end, text.find(mark));
  text = text.substr(0, end);
  constexpr std::size_t kRoom = kWidth - kTextColumn;
  if (text.size() <= kRoom) return std::string(text);
  const std::size_t comma = text.substr(0, kRoom).rfind(", "), space = text.substr(0, kRoom - 2).rfind(' ');
  return comma != std::string_view::npos && comma > kRoom / 3 ? std::string(text.substr(0, comma))
                                                              : std::string(text.substr(0, space)) + " ..";
}

void short_entry(std::string_view title, std::string_view help, std::string& out) {
  out += fmt::format("  {:<{}}{}\n", title, kTextColumn - 2, in_short(help));
}

std::string short_title(const FlagDoc& flag) {
  std::string title = fmt::format("{}", fmt::join(flag.names, ", "));
  // A list of words would not fit.
  const std::string value = flag.value.find('|') == std::string::npos ? flag.value : "WORD";
  if (!value.empty() && title.size() + 1 + value.size() <= kTextColumn - 4) title += " " + value;
  return title;
}

/// The first lines of the footer that are calls of the program, each in one line.
std::vector<std::string_view> examples_of(std::string_view footer, std::size_t most) {
  std::vector<std::string_view> found;
  while (!footer.empty() && found.size() < most) {
    std::string_view line = footer.substr(0, footer.find('\n'));
    footer.remove_prefix(std::min(line.size() + 1, footer.size()));
    line = line.substr(0, line.find("   ", 2));  // without the remark beside it
    if (line.starts_with("  ") && !line.ends_with('\\') && line.find("leitong ") != std::string_view::npos)
      found.push_back(line);
  }
  return found;
}

}  // namespace

std::string render_short_help(const CLI::App& app) {
  const CommandDoc doc = describe(app);
  const std::vector<CommandDoc> commands = describe_commands(app);
  const std::string program = doc.name.empty() ? "leitong" : "leitong " + doc.name;
  std::string out = fmt::format("{}: {}\n\n", program, doc.summary);
  if (!commands.empty()) {
    out += fmt::format("Usage: {} COMMAND [FLAGS] ..\n\n", program);
    std::size_t shown = 0;
    for (const CommandDoc& command : commands) {
      const bool is_usual =
          !doc.name.empty() || std::ranges::find(kUsualCommands, command.name) != kUsualCommands.end();
      if (is_usual && ++shown <= kMostFlags) short_entry(command.name, command.summary, out);
    }
    if (doc.name.empty()) {
      out += "\nleitong COMMAND -h shows the usual flags of a command, --help all of them.\n";
    }
  } else {
    out += fmt::format("Usage: {} [FLAGS]", program);
    for (const FlagDoc& flag : doc.flags)
      if (flag.positional) out += flag.required ? " " + flag.title() : fmt::format(" [{}]", flag.title());
    out += "\n\n";
    std::size_t shown = 0;
    const auto show = [&](const FlagDoc& flag) {
      if (shown < kMostFlags && !flag.positional) {
        ++shown;
        short_entry(short_title(flag), flag.help, out);
      }
    };
    for (const std::string_view usual : kUsual)
      for (const FlagDoc& flag : doc.flags)
        if (std::ranges::find(flag.names, usual) != flag.names.end()) show(flag);
    if (shown == 0)
      for (const FlagDoc& flag : doc.flags) show(flag);
  }
  const auto examples = examples_of(doc.footer, 2);
  if (!examples.empty()) out += "\nExamples:\n";
  for (const std::string_view example : examples) out += fmt::format("{}\n", example);
  out += fmt::format("\nEverything: {} --help\n", program);
  return out;
}

}  // namespace leitong::cli
