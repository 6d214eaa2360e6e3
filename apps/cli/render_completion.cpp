#include <fmt/format.h>

#include "manual.hpp"

namespace leitong::cli {
namespace {

std::vector<std::string> names_of(const std::vector<FlagDoc>& flags) {
  std::vector<std::string> names;
  for (const FlagDoc& flag : flags)
    if (!flag.positional) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

/// The possible words of the command's argument, if they are few.
std::vector<std::string> argument_words(const CommandDoc& doc) {
  for (const FlagDoc& flag : doc.flags)
    if (flag.positional && !flag.words().empty()) return flag.words();
  return {};
}

std::string bash(const CommandDoc& root, const std::vector<CommandDoc>& commands) {
  std::string cases, names;
  for (const CommandDoc& doc : commands) {
    names += doc.name + " ";
    cases += fmt::format("    {})\n      case \"$previous\" in\n", doc.name);
    for (const FlagDoc& flag : doc.flags) {
      if (flag.positional || flag.value.empty()) continue;
      const std::string answer = !flag.words().empty() ? fmt::format("-W '{}'", fmt::join(flag.words(), " "))
                                 : flag.takes_path()   ? "-f"
                                                       : "-W ''";
      cases += fmt::format("        {}) COMPREPLY=($(compgen {} -- \"$current\")); return ;;\n",
                           fmt::join(flag.names, "|"), answer);
    }
    cases += fmt::format("      esac\n      flags='{}'\n      words='{}' ;;\n",
                         fmt::join(names_of(doc.flags), " "), fmt::join(argument_words(doc), " "));
  }
  return fmt::format(
      R"(# bash completion for leitong: source it, or put it into a bash-completion folder as "leitong".
_leitong() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" flags='' words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}{}' -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}}
complete -o filenames -F _leitong leitong
)",
      names, fmt::join(names_of(root.flags), " "), cases);
}

/// For text in single quotes; brackets and colons have a special meaning for _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string zsh_action(const FlagDoc& flag) {
  if (!flag.words().empty()) return fmt::format(":value:({})", fmt::join(flag.words(), " "));
  if (flag.takes_path()) return ":file:_files";
  return ":value: ";
}

std::string zsh(const std::vector<CommandDoc>& commands) {
  std::string list, cases;
  for (const CommandDoc& doc : commands) {
    list += fmt::format("    '{}:{}'\n", doc.name, zsh_text(doc.summary));
    cases += fmt::format("    {})\n      _arguments \\\n", doc.name);
    for (const FlagDoc& flag : doc.flags) {
      if (flag.positional) {
        cases += fmt::format("        '*{}' \\\n", zsh_action(flag));
        continue;
      }
      for (const std::string& name : flag.names)
        cases += fmt::format("        '{}{}[{}]{}' \\\n", flag.repeatable ? "*" : "", name,
                             zsh_text(flag.help), flag.value.empty() ? "" : zsh_action(flag));
    }
    cases += "        && return ;;\n";
  }
  return fmt::format(R"(#compdef leitong
_leitong() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_leitong "$@"
)",
                     list, cases);
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish(const std::vector<CommandDoc>& commands) {
  std::string out = "# fish completion for leitong\n";
  for (const CommandDoc& doc : commands)
    out += fmt::format("complete -c leitong -n __fish_use_subcommand -f -a {} -d '{}'\n", doc.name,
                       fish_text(doc.summary));
  for (const CommandDoc& doc : commands) {
    const std::string when = fmt::format("complete -c leitong -n '__fish_seen_subcommand_from {}'", doc.name);
    for (const FlagDoc& flag : doc.flags) {
      if (flag.positional) {
        if (!flag.words().empty()) out += fmt::format("{} -f -a '{}'\n", when, fmt::join(flag.words(), " "));
        continue;
      }
      out += when;
      for (const std::string& name : flag.names)
        out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                      : fmt::format(" -s {}", name.substr(1));
      if (!flag.value.empty()) out += flag.takes_path() ? " -r" : " -x";
      if (!flag.words().empty()) out += fmt::format(" -a '{}'", fmt::join(flag.words(), " "));
      out += fmt::format(" -d '{}'\n", fish_text(flag.help));
    }
  }
  return out;
}

}  // namespace

std::string render_completion(const CLI::App& root, std::string_view shell) {
  const std::vector<CommandDoc> commands = describe_first_words(root);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  return bash(describe(root), commands);
}

}  // namespace leitong::cli
