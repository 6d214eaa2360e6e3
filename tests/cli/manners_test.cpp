// Help, version, exit codes, manual and completion: what every command provides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// The commands that `leitong --help` lists: what completion offers as first word.
std::vector<std::string> command_names() {
  const std::string script = leitong({"completion", "fish"}).out;
  const std::regex line("__fish_use_subcommand -f -a ([a-z-]+) ");
  std::vector<std::string> names;
  for (std::sregex_iterator it(script.begin(), script.end(), line), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

/// Flags at the beginning of the lines of a help text.
std::set<std::string> flags_in_help(const std::string& help) {
  const std::regex line("\n  (-[-a-zA-Z, ]+)");
  const std::regex flag("--?[a-z][-a-z]*");
  std::set<std::string> flags;
  for (std::sregex_iterator it(help.begin(), help.end(), line), end; it != end; ++it) {
    const std::string names = (*it)[1];
    for (std::sregex_iterator name(names.begin(), names.end(), flag), none; name != none; ++name)
      flags.insert(name->str());
  }
  return flags;
}

/// The part of a text between two marks.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

TEST(Manners, HelpGoesToStdoutAndNamesEveryCommand) {
  const Outcome help = leitong({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.err, IsEmpty());
  const std::vector<std::string> names = command_names();
  ASSERT_GE(names.size(), 2u);
  for (const std::string& name : names) EXPECT_THAT(help.out, HasSubstr("\n  " + name + " "));
}

TEST(Manners, EveryCommandHasHelpWithAnExample) {
  for (const std::string& name : command_names()) {
    const Outcome help = leitong({name, "--help"});
    EXPECT_EQ(help.code, 0) << name;
    EXPECT_THAT(help.out, StartsWith("leitong " + name + ": "));
    EXPECT_THAT(help.out, HasSubstr("\n  leitong " + name)) << "no usage";
    EXPECT_THAT(help.out, HasSubstr("\nExample")) << name;
  }
}

TEST(Manners, HelpKeepsToTheWidthOfATerminal) {
  for (const std::string& name : command_names()) {
    std::istringstream lines(between(leitong({name, "--help"}).out, "leitong", "\nExample"));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << name << ": " << line;
  }
}

TEST(Manners, TheVersionIsOneLine) {
  const Outcome version = leitong({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(std::regex_match(version.out, std::regex("leitong [0-9]+\\.[0-9]+\\.[0-9]+ \\(.*\\)\n")))
      << version.out;
}

TEST(Manners, ShortNamesOfWhatEveryCommandHas) {
  EXPECT_EQ(leitong({"-V"}).out, leitong({"--version"}).out);
  EXPECT_EQ(leitong({"help"}).out, leitong({"--help"}).out);
  EXPECT_EQ(leitong({"help", "dedup"}).out, leitong({"dedup", "--help"}).out);
  EXPECT_EQ(leitong({"help", "hamming", "join"}).out, leitong({"hamming", "join", "--help"}).out);
  const Outcome typo = leitong({"help", "dedub"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.err, HasSubstr("unknown command \"dedub\"; did you mean dedup?"));
}

TEST(Manners, QuietLeavesWarningsAndErrors) {
  const std::string good = "{\"id\":\"a\",\"text\":\"harbour lighthouse thunder silence\"}\n",
                    bad = good + "{\"id\":\"b\"}\n";
  EXPECT_THAT(leitong({"sign", "-"}, good).err, HasSubstr("signed 1 document by simhash\n"));
  for (const std::string flag : {"-q", "--quiet"})
    EXPECT_THAT(leitong({"sign", flag, "-"}, good).err, IsEmpty());
  EXPECT_THAT(leitong({"sign", "-q", "-"}, bad).err,
              StartsWith("leitong: warning: 1 record couldn't be read"));
  EXPECT_THAT(leitong({"dedup", "-q", "-o", "-", "-"}, good).err, IsEmpty());
  EXPECT_THAT(leitong({"hamming", "join", "-q", "--format", "tsv", "-"}, "00000000000000ff\n").err,
              IsEmpty());
}

TEST(Manners, StandardInputIsTheInputIfNoOtherIsPossible) {
  const std::string texts =
      "{\"id\":\"a\",\"text\":\"harbour lighthouse thunder silence\"}\n{\"id\":\"b\",\"text\":\"thunder "
      "lighthouse\"}\n";
  const std::string signs = "a\t00000000000000ff\nb\t00000000000000fe\n";
  const TempFolder folder;
  const std::string index = folder / "index";
  ASSERT_EQ(leitong({"hamming", "build", "-o", index}, "1\t00000000000000ff\n").code, 0);
  const std::string gold = folder.write("gold", "a\t1\nb\t1\n");
  const std::string pairs = "a\tb\tjaccard\t.5\t.5\t.5\t0\t1\t9\t9\n";
  // Each command, its input, and the place of "-".
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"dedup", "-o", "-"}, texts},
      {{"pairs"}, texts},
      {{"sign"}, texts},
      {{"train", "-o", folder / "model", "--force"}, texts},
      {{"eval", "--gold", gold, "--methods", "copies", "--json"}, texts},
      {{"tune", "--method", "shingle", "--label", folder / "labels", "--force"}, texts},
      {{"cluster", "--threshold", "0.4", "--clusters", "-"}, pairs},
      {{"segment"}, "文本\n"},
      {{"normalise"}, "ＡＢ\n"},
      {{"keywords"}, "文本\n"},
      {{"digest"}, "abc"},
      {{"hamming", "join", "--format", "tsv"}, signs},
      {{"hamming", "stats"}, signs},
      {{"hamming", "explain"}, signs}};
  for (const auto& [command, input] : commands) {
    std::vector<std::string> named = command;
    named.insert(named.begin() + (command[0] == "hamming" ? 2 : 1), "-");
    const Outcome without = leitong(command, input), with = leitong(named, input);
    EXPECT_EQ(without.code, 0) << command[0] << ": " << without.err;
    if (command[0] != "eval") {
      EXPECT_EQ(without.out, with.out) << command[0];  // the figures of speed differ
    }
    std::string line = "exec " LEITONG_BINARY;
    for (const std::string& word : command) line += " " + word;
    const Outcome nothing = run_program({"sh", "-c", line + " < /dev/null"});
    EXPECT_EQ(nothing.code, 2) << command[0] << ": jobs without a terminal get /dev/null";
    EXPECT_THAT(nothing.err, HasSubstr("no input: name a file")) << command[0];
  }
  EXPECT_EQ(leitong({"hamming", "search", index, "--format", "tsv"}, signs).out,
            leitong({"hamming", "search", index, "--format", "tsv", "--queries", "-"}, signs).out);
}

TEST(Manners, InvalidValuesAreRefused) {
  const auto refused = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"pairs", "-"});
    const Outcome outcome = leitong(flags, "{\"text\":\"one\"}\n");
    EXPECT_EQ(outcome.code, 2) << flags[2];
    return outcome.err;
  };
  EXPECT_THAT(refused({"--threads", "1.5"}), HasSubstr("1.5 is no whole number"));
  EXPECT_THAT(refused({"--threads", "-1"}), HasSubstr("-1 is not between 0 and 4096"));
  EXPECT_THAT(refused({"--text-field", ""}), HasSubstr("is empty"));
  EXPECT_THAT(refused({"--id-field", ""}), HasSubstr("is empty"));
  EXPECT_THAT(refused({"--memory", "0"}), HasSubstr("a size of 0 allows nothing"));
  EXPECT_THAT(refused({"--max-record", "0K"}), HasSubstr("a size of 0 allows nothing"));
}

TEST(Manners, WithoutACommandTheHelpIsAUsageError) {
  const Outcome nothing = leitong({});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.out, IsEmpty());
  EXPECT_THAT(nothing.err, HasSubstr("Usage:"));
}

TEST(Manners, AMistypedCommandIsAnsweredWithTheNearest) {
  const Outcome typo = leitong({"completoin"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.out, IsEmpty());
  EXPECT_THAT(typo.err, StartsWith("leitong: unknown command \"completoin\"; did you mean completion?"));
}

TEST(Manners, AMistypedFlagIsAnsweredWithTheNearest) {
  const Outcome typo = leitong({"man", "--markdwn"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.err, HasSubstr("unknown flag \"--markdwn\"; did you mean --markdown?"));
  EXPECT_THAT(typo.err, HasSubstr("leitong man --help"));
}

TEST(Manners, AnUnknownWordIsAnsweredWithTheKnownOnes) {
  const Outcome wrong = leitong({"completion", "tcsh"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("\"tcsh\" is none of bash, zsh, fish"));
}

TEST(Manners, AnUnknownInstructionSetIsNotPassedOver) {
  const Outcome outcome = leitong({"--version"}, "", {"LEITONG_SIMD=sse9"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("LEITONG_SIMD is \"sse9\"; it may be scalar, avx2 or avx512"));
}

TEST(Manners, NothingIsColouredWhereNoTerminalIs) {
  EXPECT_THAT(leitong({"--help"}, "", {"TERM=xterm-256color"}).out, Not(HasSubstr("\033")));
  EXPECT_THAT(leitong({"nonsense"}, "", {"TERM=xterm-256color"}).err, Not(HasSubstr("\033")));
}

TEST(Manners, ATerminalIsColouredUnlessNoColorIsSet) {
  if (!have_program("script")) GTEST_SKIP() << "needs script(1), which gives a program a terminal";
  const std::string command = std::string(LEITONG_BINARY) + " --help";
  const std::vector<std::string> in_terminal = {"script", "-qec", command, "/dev/null"};
  EXPECT_THAT(run_program(in_terminal, "", {"TERM=xterm", "NO_COLOR="}).out, HasSubstr("\033[1m"));
  EXPECT_THAT(run_program(in_terminal, "", {"TERM=xterm", "NO_COLOR=1"}).out, Not(HasSubstr("\033[")));
  EXPECT_THAT(run_program(in_terminal, "", {"TERM=dumb", "NO_COLOR="}).out, Not(HasSubstr("\033[")));
}

TEST(Manners, NamesInMessagesDoNotActOnTheTerminal) {
  const Outcome outcome = leitong({"digest", "\033[31mnope\a\x7f\xc2\x9b\xff"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("leitong: \u241B[31mnope\u2407\u2421[U+009B]\uFFFD: "));
}

TEST(Manners, AClosedPipeEndsQuietly) {
  const Outcome outcome =
      run_program({"bash", "-c",
                   "set -o pipefail; (sleep .3; exec " LEITONG_BINARY " man) | true; echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(outcome.out, "141\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Manners, EveryFlagOccursInManualPageAndCompletionOfEveryShell) {
  const std::string man = leitong({"man"}).out, markdown = leitong({"man", "--markdown"}).out;
  const std::string bash = leitong({"completion", "bash"}).out, zsh = leitong({"completion", "zsh"}).out,
                    fish = leitong({"completion", "fish"}).out;
  for (const std::string& name : command_names()) {
    const std::set<std::string> flags = flags_in_help(leitong({name, "--help"}).out);
    ASSERT_TRUE(flags.contains("--help")) << name;
    const std::string in_man = between(man + ".S", ".SS leitong " + name + "\n", ".S");
    const std::string in_markdown = between(markdown + "\n## ", "\n## leitong " + name + "\n", "\n## ");
    const std::string in_bash =
        between(bash, "\n    " + name + ")", ";;\n    ") + between(bash, "\n    " + name + ")\n", "' ;;\n");
    const std::string in_zsh = between(zsh, "\n    " + name + ")\n", "&& return");
    for (const std::string& flag : flags) {
      std::string escaped = std::regex_replace(flag, std::regex("-"), "\\-");
      EXPECT_THAT(in_man, HasSubstr(escaped)) << name;
      EXPECT_THAT(in_markdown, HasSubstr(flag)) << name;
      EXPECT_THAT(in_bash, HasSubstr(flag)) << name;
      EXPECT_THAT(in_zsh, HasSubstr(flag + "[")) << name;
      const std::string in_fish =
          flag.starts_with("--") ? " -l " + flag.substr(2) + " " : " -s " + flag.substr(1) + " ";
      EXPECT_TRUE(std::regex_search(fish, std::regex("from " + name + "'[^\n]*" + in_fish)))
          << name << " " << flag;
    }
  }
}

TEST(Manners, TheManualPageIsCleanTroff) {
  if (!have_program("groff")) GTEST_SKIP() << "needs groff";
  const Outcome page = run_program({"groff", "-man", "-Tutf8", "-ww"}, leitong({"man"}).out);
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.err, IsEmpty());
  EXPECT_GT(page.out.size(), 1000u);
  EXPECT_THAT(page.out, Not(HasSubstr("?."))) << "a question is a sentence";
}

TEST(Manners, CompletionScriptsAreValidInTheirShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome script = leitong({"completion", shell});
    EXPECT_EQ(script.code, 0);
    EXPECT_GT(script.out.size(), 200u);
    if (!have_program(shell)) continue;
    const Outcome check = run_program({shell, "-n"}, script.out);
    EXPECT_EQ(check.code, 0) << shell << ": " << check.err;
  }
}

TEST(Manners, BashCompletesCommandsFlagsAndWords) {
  const std::string script = leitong({"completion", "bash"}).out;
  const auto complete = [&](const std::string& words, int index) {
    return run_program({"bash", "-c",
                        script + "\nCOMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(index) +
                            "; _leitong; echo \"${COMPREPLY[*]}\""})
        .out;
  };
  EXPECT_EQ(complete("leitong compl", 1), "completion\n");
  EXPECT_EQ(complete("leitong man --mark", 2), "--markdown\n");
  EXPECT_EQ(complete("leitong completion z", 2), "zsh\n");
}

TEST(Manners, TheDocumentedCommandLineIsThisOne) {
  EXPECT_EQ(read_file(LEITONG_SOURCE_DIR "/docs/cli.md"), leitong({"man", "--markdown"}).out)
      << "write it anew: leitong man --markdown > docs/cli.md";
}

TEST(Manners, AFlagBeforeTheCommandIsRefusedWithTheRightOrder) {
  const Outcome outcome = leitong({"-q", "dedup", "x"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("stands before the command; write it behind it: leitong dedup -q"));
}

}  // namespace
}  // namespace leitong::test
