// The command on inputs that the system cannot read, that are damaged, in other encodings or of other kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Inputs : public ::testing::Test {
 protected:
  /// Runs the command in a shell, for redirections and limits.
  static Outcome shell(const std::string& command) {
    return run_program({"sh", "-c", std::string("L=") + LEITONG_BINARY + "; " + command});
  }
  [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  TempFolder folder_;
};

TEST_F(Inputs, QuietCommandsSayHowManyRecordsWereLeftOut) {
  const std::string records = "{\"id\":1,\"text\":\"a text\"}\n{broken\n{\"text\":3}\n";
  for (const std::string& command : std::vector<std::string>{
           "dedup - -q -o -", "dedup - -q -o - --quarantine " + (folder_ / "bad"), "pairs - -q -o -",
           "trim - -q -o -", "trim - -q -o - --quarantine " + (folder_ / "worse")}) {
    const Outcome outcome = shell("printf '" + records + "' | $L " + command);
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("2 records couldn't be read and were left out, the first: -:2:2: broken JSON"))
        << command;
  }
}

TEST_F(Inputs, DefectsOfOtherFieldsAndTextsInListsAreReadByEveryCommand) {
  const std::string records = R"({"data":[{"text":"one"},{"text":"two"}],"score":NaN,"x":"\\ud800"})";
  const Outcome kept = shell("printf '%s' '" + records + "' | $L dedup - -q -o - --text-field 'data[].text'");
  EXPECT_EQ(kept.out, records) << kept.err;
  EXPECT_THAT(shell("printf '%s' '" + records + "' | $L sign - -q --text-field 'data[].text'").err,
              Not(HasSubstr("left out")));
}

TEST_F(Inputs, AReadErrorOfTheSystemEndsEveryCommandWithoutOutput) {
  const std::string out = folder_ / "out";
  for (const std::string command : {"dedup - -o ", "pairs - -o ", "sign - -o ", "train - -o "}) {
    const Outcome folder = shell("$L " + command + out + " < /tmp");
    EXPECT_EQ(folder.code, 5) << command << folder.err;
    EXPECT_THAT(folder.err, HasSubstr("Is a directory"));
    const Outcome closed = shell("$L " + command + out + " <&-");
    EXPECT_EQ(closed.code, 5) << command << closed.err;
    EXPECT_FALSE(exists("out")) << command;
  }
  const Outcome memory = leitong({"dedup", "/proc/self/mem", "--kind", "jsonl", "-o", out});
  EXPECT_EQ(memory.code, 5) << memory.err;
  EXPECT_THAT(memory.err, HasSubstr("/proc/self/mem: can't be read: Input/output error"));
  EXPECT_THAT(memory.err, Not(HasSubstr("mem: /proc")));
  EXPECT_FALSE(exists("out"));
}

TEST_F(Inputs, AQuotedPatternMeansTheFilesThatMatch) {
  std::filesystem::create_directories(folder_ / "data/2026/11");
  std::filesystem::create_directories(folder_ / "data/.hidden");
  const auto write = [&](const std::string& name) {
    folder_.write("data/" + name, "{\"text\":\"" + name + "\"}\n");
  };
  for (const std::string name : {"b.jsonl", "a.jsonl", "c.txt", ".d.jsonl", "2026/e.jsonl", "2026/11/f.jsonl",
                                 ".hidden/g.jsonl", "[h].jsonl"})
    write(name);
  const auto kept = [&](const std::string& pattern) {
    const Outcome outcome = leitong({"dedup", folder_ / pattern, "-o", "-", "--kind", "jsonl", "-q"});
    EXPECT_EQ(outcome.code, 0) << pattern << outcome.err;
    std::string names, line;
    for (std::istringstream all(outcome.out); std::getline(all, line);)
      names += nlohmann::json::parse(line)["text"].get<std::string>() + " ";
    return names;
  };
  EXPECT_EQ(kept("data/[ab].jsonl"), "a.jsonl b.jsonl ");
  EXPECT_EQ(kept("data/?.jsonl"), "a.jsonl b.jsonl ");
  EXPECT_EQ(kept("d*a/20*/*"), "2026/11/f.jsonl 2026/e.jsonl ") << "a folder that matches is read as a whole";
  EXPECT_EQ(kept("data/.*.jsonl"), ".d.jsonl ");
  EXPECT_EQ(kept("data/**/*.jsonl"), "2026/11/f.jsonl 2026/e.jsonl [h].jsonl a.jsonl b.jsonl ");
  EXPECT_EQ(kept("data/2026/**"), "2026/11/f.jsonl 2026/e.jsonl ") << "each file once";
  EXPECT_EQ(kept("data/[h].jsonl"), "[h].jsonl ") << "a file of this very name";
  EXPECT_EQ(leitong({"normalise", folder_ / "data/[ab].jsonl"}).out,
            "{\"text\":\"a.jsonl\"}\n{\"text\":\"b.jsonl\"}\n");
}

TEST_F(Inputs, APatternThatMatchesNothingIsAnError) {
  const std::string input = folder_.write("a.jsonl", "{\"text\":\"one\"}\n");
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"dedup", folder_ / "*.parquet", "-o", folder_ / "kept"},
           {"dedup", input, "--reference", folder_ / "no/**/*.jsonl", "-o", folder_ / "kept"},
           {"normalise", folder_ / "?.txt"}}) {
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(": nothing matches this pattern"));
    EXPECT_FALSE(exists("kept"));
  }
}

TEST_F(Inputs, AnOutputMayNotBeAFileThatAPatternMatches) {
  const std::string input = folder_.write("a.jsonl", "{\"text\":\"one\"}\n");
  const Outcome outcome = leitong({"dedup", folder_ / "*.jsonl", "-o", input, "--force"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("would write into the input"));
}

TEST_F(Inputs, KeptRecordsTakeNoNameOfAnotherFormat) {
  const std::string jsonl = folder_.write("a.jsonl", "{\"text\":\"one\"}\n"),
                    csv = folder_.write("a.csv", "text\none\n");
  const std::string warc = folder_.write("a.warc",
                                         "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: "
                                         "text/plain\r\nContent-Length: 3\r\n\r\none\r\n\r\n");
  for (const auto& [input, output] : std::vector<std::pair<std::string, std::string>>{
           {warc, "k.jsonl"}, {jsonl, "k.csv"}, {csv, "k.tsv.gz"}, {jsonl, "k.warc.gz"}}) {
    const Outcome outcome = leitong({"dedup", input, "-o", folder_ / output});
    EXPECT_EQ(outcome.code, 2) << output << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the kept records are written as they were read, as "));
    EXPECT_FALSE(exists(output));
  }
  const std::string lines = folder_.write("lines", "one\ntwo\n");
  EXPECT_EQ(leitong({"dedup", lines, "--kind", "lines", "-o", folder_ / "k.txt"}).code, 0);
  EXPECT_EQ(leitong({"dedup", csv, "--kind", "lines", "-o", folder_ / "k.csv"}).code, 0)
      << "its lines are those of a CSV";
  EXPECT_EQ(leitong({"dedup", jsonl, "-o", folder_ / "kept"}).code, 0) << "a name that says nothing";
}

TEST_F(Inputs, AFieldThatAWarcRecordHasNotIsNamed) {
  const std::string warc = folder_.write("a.warc",
                                         "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: "
                                         "text/plain\r\nContent-Length: 3\r\n\r\none\r\n\r\n");
  const Outcome outcome = leitong({"dedup", warc, "--text-field", "foo", "-o", folder_ / "kept.warc"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("field \"foo\" is missing"));
  EXPECT_EQ(leitong({"dedup", warc, "--text-field", "foo,text", "-o", folder_ / "kept2.warc"}).code, 0)
      << "one is enough";
}

TEST_F(Inputs, SynonymsNameTheMethodsThatTakeThem) {
  const std::string input = folder_.write("a.jsonl", "{\"text\":\"one\"}\n"),
                    words = folder_.write("words", "a\tb\n");
  const Outcome outcome = leitong({"dedup", input, "--synonyms", words, "-o", folder_ / "kept"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the parameter synonyms: the method default"));
  EXPECT_THAT(outcome.err, HasSubstr("the methods simhash, "));
}

TEST_F(Inputs, VectorsOfTextsAreLearnedByThePythonPackage) {
  const Outcome outcome = leitong({"train", "--vectors", "a.jsonl"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("python -m leitong train --vectors INPUT... -o vectors.npy"));
}

TEST_F(Inputs, ATruncatedArchiveIsAFailureUnlessItIsAllowed) {
  std::string lines;
  for (int i = 0; i < 5000; ++i)
    lines += "{\"id\":" + std::to_string(i) + ",\"text\":\"text " + std::to_string(i * 7919) + "\"}\n";
  const std::string whole = folder_.write("whole.jsonl", lines), packed = folder_ / "packed.jsonl.gz";
  ASSERT_EQ(leitong({"dedup", whole, "-o", packed}).code, 0);
  const std::string bytes = read_file(packed);
  const std::string cut = folder_.write("cut.jsonl.gz", bytes.substr(0, bytes.size() / 2));

  const Outcome refused = leitong({"dedup", cut, "-o", folder_ / "kept.jsonl", "--json"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--allow-truncated"));
  EXPECT_EQ(nlohmann::json::parse(refused.out)["truncated_inputs"], 1);
  EXPECT_TRUE(exists("kept.jsonl")) << "hours of work stay";
  EXPECT_EQ(leitong({"sign", cut, "-o", folder_ / "signed"}).code, 1);

  const Outcome allowed = leitong({"dedup", cut, "-o", folder_ / "other.jsonl", "--allow-truncated"});
  EXPECT_EQ(allowed.code, 0);
  EXPECT_THAT(allowed.err, HasSubstr("1 compressed input is truncated or damaged"));
}

TEST_F(Inputs, NoDocumentAtAllIsAFailure) {
  const std::string bad = folder_.write("bad.jsonl", "{\"body\":\"a\"}\n{\"body\":\"b\"}\n");
  const Outcome outcome = leitong({"dedup", bad, "-o", folder_ / "kept", "--quarantine", folder_ / "why"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("every record was quarantined, the first: "));
  EXPECT_TRUE(exists("why"));
  const std::string empty = folder_.write("empty.jsonl", "");
  EXPECT_EQ(leitong({"dedup", empty, "-o", folder_ / "none"}).code, 0) << "nothing was there to be read";
}

TEST_F(Inputs, AWindowOfMoreThan128MegabytesHasToBeAllowed) {
  if (!have_program("zstd")) GTEST_SKIP() << "no zstd on the PATH";
  const std::string lines = folder_.write("a.jsonl", "{\"text\":\"one\"}\n");
  ASSERT_EQ(
      run_program({"sh", "-c", "zstd -q --ultra --long=30 < " + lines + " > " + (folder_ / "a.zst")}).code,
      0);
  const Outcome refused = leitong({"dedup", folder_ / "a.zst", "--kind", "jsonl", "-o", "-"});
  EXPECT_EQ(refused.code, 4) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("a.zst: the zstd data needs a window of more than 128 MB"));
  EXPECT_EQ(leitong({"dedup", folder_ / "a.zst", "--kind", "jsonl", "-o", "-", "--max-window", "1G"}).code,
            0);
}

TEST_F(Inputs, AWindowIsHeldToTheMemoryBudget) {
  if (!have_program("zstd")) GTEST_SKIP() << "no zstd on the PATH";
  const std::string lines = folder_.write("a.jsonl", "{\"text\":\"one\"}\n"), packed = folder_ / "a.zst";
  ASSERT_EQ(run_program({"sh", "-c", "zstd -q --long=27 < " + lines + " > " + packed}).code, 0);
  const auto dedup = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"dedup", packed, "--kind", "jsonl", "-o", "-"});
    return leitong(flags);
  };
  const Outcome refused = dedup({"--memory", "200M"});
  EXPECT_EQ(refused.code, 4) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("a.zst: the zstd data needs a window of more than 50 MB"));
  EXPECT_THAT(refused.err, HasSubstr("give the run more memory"));
  EXPECT_EQ(dedup({"--memory", "600M"}).code, 0);
  EXPECT_EQ(dedup({"--memory", "200M", "--max-window", "129M"}).code, 0) << "who asks for it has it";
}

TEST_F(Inputs, EncodingsAreNamedWhereTheyAreNotRecognised) {
  const std::string gbk = "\xd6\xd0\xce\xc4\n", utf8 = "\xe4\xb8\xad\xe6\x96\x87\n";
  const std::string path = folder_.write("a.txt", gbk);
  EXPECT_EQ(leitong({"normalise", "--encoding", "GBK", path}).out, utf8);
  EXPECT_EQ(leitong({"normalise", "--encoding", "gb18030"}, gbk).out, utf8);
  const Outcome unknown = leitong({"normalise", "--encoding", "Klingon", path});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("the encoding \"Klingon\" is unknown"));
  const std::string other = folder_.write("b.txt", utf8);
  EXPECT_EQ(leitong({"compare", path, path, "--encoding", "GBK", "--json"}).code, 0);
  EXPECT_EQ(leitong({"dedup", path, "--kind", "lines", "--encoding", "GBK", "-o", "-"}).out, utf8);
  EXPECT_EQ(leitong({"dedup", path, "--encoding", "Klingon", "-o", "-"}).code, 2);
}

TEST_F(Inputs, AListOfPathsMayEndThemWithAZeroByte) {
  static_cast<void>(folder_.write("in/a\nb.txt", "one text"));
  static_cast<void>(folder_.write("in/c.txt", "another thing"));
  const Outcome list = leitong({"dedup", folder_ / "in", "-o", "-"});
  EXPECT_THAT(list.err, HasSubstr("1 path in the list of kept files holds a line feed"));
  const Outcome apart = leitong({"dedup", folder_ / "in", "-o", "-", "--null"});
  EXPECT_EQ(apart.out,
            (folder_ / "in/a\nb.txt") + std::string(1, '\0') + (folder_ / "in/c.txt") + std::string(1, '\0'));
  EXPECT_THAT(apart.err, Not(HasSubstr("line feed")));
}

TEST_F(Inputs, AFileOfAnotherKindIsOneQuarantinedRecord) {
  const std::string good = folder_.write("a.jsonl", "{\"text\":\"one\"}\n");
  const std::string pdf = folder_.write("b.pdf", "%PDF-1.4\n\x01\x02\n\n\n");
  const Outcome outcome = leitong(
      {"dedup", good, pdf, LEITONG_BINARY, "--kind", "jsonl", "-o", "-", "--quarantine", folder_ / "q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string quarantine = read_file(folder_ / "q");
  EXPECT_EQ(std::count(quarantine.begin(), quarantine.end(), '\n'), 2);
  EXPECT_THAT(quarantine, HasSubstr("pdftotext"));
  EXPECT_THAT(quarantine, HasSubstr("a program"));
}

}  // namespace
}  // namespace leitong::test
