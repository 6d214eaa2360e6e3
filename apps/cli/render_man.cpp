#include <fmt/core.h>

#include <cctype>

#include "manual.hpp"

namespace leitong::cli {
namespace {

/// Escapes text for troff: backslashes, hyphens of flags, and lines that begin with a control character.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void entry(std::string_view title, std::string_view text, std::string& out) {
  out += fmt::format(".TP\n.B {}\n{}\n", roff(title), roff(text));
}

void literal(std::string_view text, std::string& out) {
  if (!text.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

/// Summaries are written as table entries, without capital and full stop.
std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('?') ? text : text + ".";
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void command(const CommandDoc& doc, std::string& out) {
  out += fmt::format(".SS leitong {}\n{}\n", roff(doc.name), roff(sentence(doc.summary)));
  for (const FlagDoc& flag : doc.flags) entry(flag.title(), flag.help, out);
  literal(doc.footer, out);
}

}  // namespace

std::string render_man(const CLI::App& root) {
  const CommandDoc doc = describe(root);
  std::string out = fmt::format(".TH LEITONG 1 \"\" \"leitong {}\" \"User Commands\"\n", LEITONG_VERSION);
  out += fmt::format(".SH NAME\nleitong \\- {}\n", roff(doc.summary));
  out += ".SH SYNOPSIS\n.B leitong\n.I COMMAND\n[\\fIFLAGS\\fR] ...\n";
  out += ".SH OPTIONS\n";
  for (const FlagDoc& flag : doc.flags) entry(flag.title(), flag.help, out);
  out += ".SH COMMANDS\n";
  for (const CommandDoc& each : describe_commands(root)) command(each, out);
  for (const Chapter& chapter : chapters()) {
    out += fmt::format(".SH {}\n", upper(chapter.title));
    for (const auto& [term, text] : chapter.entries) entry(term, text, out);
  }
  if (!doc.footer.empty()) {
    out += ".SH EXAMPLES\n";
    literal(doc.footer, out);
  }
  return out;
}

std::string render_markdown(const CLI::App& root) {
  // Values are shown as code, where < and > are safe; in prose only the table's column sign needs an escape.
  const auto cell = [](std::string_view text) {
    std::string out;
    for (char c : text) {
      if (c == '|') out += '\\';
      out += c;
    }
    return out;
  };
  const auto table = [&](const std::vector<FlagDoc>& flags) {
    std::string out = "| flag | meaning |\n|---|---|\n";
    for (const FlagDoc& flag : flags)
      out += fmt::format("| `{}` | {} |\n", cell(flag.title()), cell(flag.help));
    return out;
  };
  const auto block = [](std::string_view text) {
    return text.empty() ? std::string() : fmt::format("\n```\n{}\n```\n", text);
  };
  const CommandDoc doc = describe(root);
  std::string out = fmt::format(
      "# The command line\n\n{}\n\nThis page is printed by `leitong man --markdown`; a test holds the two "
      "together.\n\n",
      sentence(doc.summary));
  out += table(doc.flags) + block(doc.footer);
  for (const CommandDoc& each : describe_commands(root))
    out += fmt::format("\n## leitong {}\n\n{}\n\n", each.name, sentence(each.summary)) + table(each.flags) +
           block(each.footer);
  for (const Chapter& chapter : chapters()) {
    out += fmt::format("\n## {}\n\n| | |\n|---|---|\n", chapter.title);
    for (const auto& [term, text] : chapter.entries) out += fmt::format("| `{}` | {} |\n", term, cell(text));
  }
  return out;
}

}  // namespace leitong::cli
