// leitong: parses the command line by the table of commands, runs one, and turns its result into an exit
// code.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <span>

#include "base/cpu_features.hpp"
#include "base/system.hpp"
#include "command.hpp"
#include "command_context.hpp"
#include "exit_codes.hpp"
#include "flags.hpp"
#include "manual.hpp"
#include "other_tools.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct CommandLine {
  CLI::App root{"finds near-duplicate texts, verifies them and removes them"};
  std::vector<Run> runs;  // parallel to commands()
};

/// Nested commands get the flag themselves.
void add_quiet_to_all(CLI::App& app) {
  const auto nested = app.get_subcommands({});
  if (nested.empty()) add_quiet(app);
  for (CLI::App* each : nested) add_quiet_to_all(*each);
}

void declare(CommandLine& line) {
  CLI::App& root = line.root;
  root.name("leitong");
  root.require_subcommand(0, 1);
  root.set_help_flag("-h,--help", "what a command does, its flags and examples; -h: the usual ones in short");
  root.set_version_flag("-V,--version",
                        fmt::format("leitong {} ({} kernels)", LEITONG_VERSION, simd_name(simd_level())),
                        "the version, and the instruction set in use");
  root.footer(
      "Examples:\n"
      "  leitong dedup corpus.jsonl -o kept.jsonl       keep one of each cluster of near-duplicates\n"
      "  leitong pairs corpus.jsonl -o pairs.tsv        score all similar pairs, remove nothing\n"
      "  leitong eval --gold gold.tsv --clusters c.tsv  measure a result against the truth\n"
      "  leitong help dedup                             what a command does, its flags and examples");
  for (const Command& command : commands()) {
    CLI::App* app = root.add_subcommand(std::string(command.name), std::string(command.summary));
    app->group(std::string(command.group));
    line.runs.push_back(command.add(*app));
    add_quiet_to_all(*app);
  }
}

/// The named subcommand, the innermost one, or leitong itself.
const CLI::App& named(const CommandLine& line) {
  const CLI::App* app = &line.root;
  for (auto parsed = app->get_subcommands(); !parsed.empty(); parsed = app->get_subcommands())
    app = parsed.front();
  return *app;
}

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const FlagDoc& flag : describe(app).flags)
    words.insert(words.end(), flag.names.begin(), flag.names.end());
  for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  return words;
}

int usage_error(const CommandLine& line, std::string message) {
  const CLI::App& app = named(line);
  const auto extras = app.remaining();
  const auto root_extras = line.root.remaining();
  const std::string unknown = !extras.empty()        ? extras.front()
                              : !root_extras.empty() ? root_extras.front()
                                                     : "";
  if (!unknown.empty()) {
    const bool flag = unknown.starts_with("-");
    message = fmt::format("unknown {} \"{}\"",
                          flag                 ? "flag"
                          : &app == &line.root ? "command"
                                               : "argument",
                          unknown);
    const std::vector<std::string> known = known_words(app);
    std::string advice = advice_for(unknown, &app == &line.root, known);
    std::error_code ignored;
    if (&app == &line.root && advice.empty() && std::filesystem::exists(unknown, ignored))
      advice = fmt::format("that is a file; a command comes first: leitong dedup {} -o KEPT", unknown);
    const std::string near = advice.empty() ? nearest_word(unknown, known) : std::string();
    if (!advice.empty())
      message += "; " + advice;
    else if (near == unknown)
      message = fmt::format("the flag {0} stands before the command; write it behind it: leitong {1} {0}",
                            unknown, describe(app).name);
    else if (!near.empty())
      message += fmt::format("; did you mean {}?", near);
  }
  print_error(message);
  print_note(fmt::format("See: leitong {}--help", &app == &line.root ? "" : describe(app).name + " "));
  return kExitUsage;
}

int report(const Error& error) {
  if (pipe_closed()) return kExitPipe;
  // The handler has announced the stop, which is the cause of any later error.
  if (told_to_stop().stop_requested()) return kExitStopped;
  print_error(message_of(error));
  return exit_code_of(error.code);
}

int run(int argc, char** argv) {
  if (const auto wish = unknown_simd_wish()) {
    print_error(fmt::format("LEITONG_SIMD is \"{}\"; it may be scalar, avx2 or avx512", *wish));
    return kExitUsage;
  }
  CommandLine line;
  declare(line);
  const auto help = [&](Stream stream) {
    return render_help(named(line), columns(stream), !style_of(stream).bold.empty());
  };
  const auto printed = [](const Result<void>& result) { return result ? kExitOk : report(result.error()); };
  try {
    line.root.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::span<char*> words(argv, static_cast<std::size_t>(argc));
    const auto is = [](std::string_view flag) { return [flag](const char* word) { return word == flag; }; };
    const bool all = std::ranges::none_of(words, is("-h")) || std::ranges::any_of(words, is("--help"));
    return printed(print_data(all ? help(Stream::out) : render_short_help(named(line))));
  } catch (const CLI::CallForVersion& version) {
    return printed(print_data(std::string(version.what()) + "\n"));
  } catch (const CLI::ParseError& error) {
    return usage_error(line, error.what());
  }
  const auto table = commands();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (line.root.got_subcommand(std::string(table[i].name))) {
      const Result<int> code = line.runs[i]();
      return code ? *code : report(code.error());
    }
  print_styled(render_short_help(named(line)));
  return kExitUsage;
}

}  // namespace
}  // namespace leitong::cli

int main(int argc, char** argv) {
  // Arrays of a megabyte and more are returned to the system when they are freed. By default the allocator
  // would begin to keep them after the first large one, and unused memory would exceed --memory. Of smaller
  // ones, which are allocated and freed with every batch, a few megabytes are kept, because new pages cost
  // more than filling them.
  leitong::system::bound_freed_memory(1 << 20, 4 << 20, 4 << 20);
  leitong::cli::install_signal_handlers();
  try {
    return leitong::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    leitong::cli::print_error("out of memory; try --memory with a size that this machine has");
    return leitong::cli::kExitLimit;
  } catch (const std::exception& error) {
    leitong::cli::print_error(fmt::format("internal error: {}", error.what()));
    return leitong::cli::kExitInput;
  }
}
