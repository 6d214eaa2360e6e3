#include <fmt/core.h>

#include <algorithm>

#include "manual.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;  // column of the explanations

/// Appends `text`, broken at spaces so that no line exceeds `width`; the first line begins at column `at`,
/// the others at `indent`.
void wrap(std::string_view text, std::size_t at, std::size_t indent, std::size_t width, std::string& out) {
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!first && at + 1 + word.size() > width) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    first = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out += '\n';
}

/// Appends a title, broken after a "|" if it is longer than a line, and returns the column after it.
std::size_t put_title(std::string_view title, std::size_t width, std::string& out) {
  constexpr std::size_t kIndent = 2, kNextIndent = 6;
  std::size_t at = kIndent;
  out.append(at, ' ');
  while (at + title.size() > width) {
    const std::size_t bar = title.substr(0, width - at).rfind('|');
    if (bar == std::string_view::npos) break;
    out += title.substr(0, bar + 1);
    out += '\n';
    out.append(kNextIndent, ' ');
    at = kNextIndent;
    title.remove_prefix(bar + 1);
  }
  out += title;
  return at + title.size();
}

void entry(const std::string& title, std::string_view help, std::size_t width, std::string& out) {
  std::size_t at = put_title(title, width, out);
  if (at + 2 > kHelpColumn) {
    out += '\n';
    at = 0;
  }
  out.append(kHelpColumn - at, ' ');
  wrap(help, kHelpColumn, kHelpColumn, width, out);
}

/// Calls `each` for the elements of every group, groups in the order of their first element.
template <class Items, class Heading, class Each>
void by_group(const Items& items, const Heading& heading, const Each& each) {
  std::vector<std::string> seen;
  for (const auto& item : items) {
    if (item.group.empty() || std::find(seen.begin(), seen.end(), item.group) != seen.end()) continue;
    seen.push_back(item.group);
    heading(item.group);
    for (const auto& member : items)
      if (member.group == item.group) each(member);
  }
}

std::string usage(const CLI::App& app, const CommandDoc& doc) {
  if (doc.name.empty()) return "leitong COMMAND [FLAGS] ..., leitong COMMAND --help";
  if (!describe_commands(app).empty())
    return fmt::format("leitong {0} COMMAND [FLAGS] ..., leitong {0} COMMAND --help", doc.name);
  std::string line = "leitong " + doc.name + " [FLAGS]";
  for (const FlagDoc& flag : doc.flags)
    if (flag.positional)
      line += flag.required ? fmt::format(" {}", flag.title()) : fmt::format(" [{}]", flag.title());
  return line;
}

}  // namespace

std::string render_help(const CLI::App& app, std::size_t width, bool colour) {
  const CommandDoc doc = describe(app);
  const std::string_view bold = colour ? "\033[1m" : "", reset = colour ? "\033[0m" : "";
  width = std::clamp<std::size_t>(width, 60, 110);
  std::string out = fmt::format("{}leitong{}{}{}: ", bold, doc.name.empty() ? "" : " ", doc.name, reset);
  wrap(doc.summary, out.size() - bold.size() - reset.size(), 4, width, out);
  const auto heading = [&](std::string_view title) { out += fmt::format("\n{}{}:{}\n", bold, title, reset); };

  heading("Usage");
  out += "  " + usage(app, doc) + "\n";
  by_group(describe_commands(app), heading,
           [&](const CommandDoc& command) { entry(command.name, command.summary, width, out); });
  by_group(doc.flags, heading, [&](const FlagDoc& flag) { entry(flag.title(), flag.help, width, out); });
  if (doc.name.empty()) {
    for (const Chapter& chapter : chapters()) {
      heading(chapter.title);
      for (const auto& [term, text] : chapter.entries) entry(term, text, width, out);
    }
  }
  if (!doc.footer.empty()) out += "\n" + doc.footer + "\n";
  return out;
}

}  // namespace leitong::cli
