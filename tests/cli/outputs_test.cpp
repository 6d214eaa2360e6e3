// What every command does with existing files: with its input, its other outputs, and files that it replaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

const std::string kRecords =
    "{\"id\": \"a\", \"text\": \"one text of several words\"}\n"
    "{\"id\": \"b\", \"text\": \"quite another one, unlike it\"}\n";

class Outputs : public ::testing::Test {
 protected:
  /// Runs it in the folder, so that names are short.
  [[nodiscard]] Outcome run(const std::string& arguments) const {
    return run_program({"sh", "-c", "cd " + folder_.path().string() + " && " LEITONG_BINARY " " + arguments});
  }
  TempFolder folder_;
};

TEST_F(Outputs, MayBeALinkOfTheSystemToAPipe) {
  folder_.write("v.jsonl", kRecords);
  const Outcome piped = run("dedup v.jsonl -o /dev/stdout | cat");
  EXPECT_EQ(piped.out, kRecords) << piped.err;
}

// Rows of copies are no pairs to which a threshold applies.
TEST_F(Outputs, PairsOfCopiesAloneGiveNoMessageAboutThresholds) {
  const std::string row = "\tidentical\t1\t1\t1\t";
  folder_.write("copies.tsv",
                "id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\tdoc_a\tdoc_b\tunits_a\tunits_b\n"
                "a\tb" +
                    row + "0\t1\t9\t9\na\tc" + row + "0\t2\t9\t9\nb\tc" + row + "1\t2\t9\t9\n");
  const Outcome outcome = run("cluster copies.tsv --threshold .5 --clusters -");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("0 of 0 pairs reach 0.5, and 2 copies: 2 removed"));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("warning")));
}

TEST_F(Outputs, TheSummaryCountsNoReferencesAsRemoved) {
  const std::string text = "\"text\": \"the same sentence of a few words, twice or three times\"}\n";
  folder_.write("r.jsonl",
                "{\"id\": \"r1\", " + text + "{\"id\": \"r2\", " + text + "{\"id\": \"r3\", " + text);
  folder_.write("v.jsonl", kRecords);
  const Outcome outcome = run("dedup v.jsonl --reference r.jsonl -o kept.jsonl");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("0.0 %\n"));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("copies")));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("in chains")));
}

TEST_F(Outputs, WhatIsRemovedForAPartIsCountedWithoutCopies) {
  folder_.write("v.jsonl", kRecords + kRecords);
  const Outcome outcome = run("dedup v.jsonl --preset reuse -o kept.jsonl");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("removed for a part")));
}

TEST_F(Outputs, AreNeverAnInput) {
  const std::pair<std::string, std::string> files[] = {
      {"v.jsonl", kRecords},
      {"pairs.tsv", "id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\tdoc_a\tdoc_b\tunits_a\tunits_b\n"},
      {"gold.tsv", "a\t1\nb\t1\n"},
      {"model", "one 1.5\n"},
      {"f.txt", "12\nab\n"},
      {"q.txt", "13\nab\n"},
      {"words", "thunder\n"},
      {"in/a.jsonl", kRecords},
      {"in/kept.jsonl", kRecords}};
  for (const auto& [name, bytes] : files) folder_.write(name, bytes);
  fs::create_directory(folder_.path() / "linked");
  fs::create_symlink(folder_.path() / "v.jsonl", folder_.path() / "linked/there.jsonl");
  fs::create_hard_link(folder_.path() / "v.jsonl", folder_.path() / "twin.jsonl");
  ASSERT_EQ(run("hamming build f.txt -o index").code, 0);
  const std::string index = read_file(folder_ / "index");

  for (const std::string attempt : {"sign v.jsonl -o v.jsonl",
                                    "sign v.jsonl -o ./twin.jsonl",
                                    "sign v.jsonl >> v.jsonl",
                                    "sign v.jsonl --param model=model -o model",
                                    "pairs v.jsonl -o v.jsonl",
                                    "train v.jsonl -o v.jsonl",
                                    "cluster pairs.tsv --threshold .5 --clusters pairs.tsv",
                                    "tune v.jsonl --gold gold.tsv --curve gold.tsv",
                                    "tune v.jsonl --gold gold.tsv --curve v.jsonl",
                                    "tune v.jsonl --label v.jsonl",
                                    "compare v.jsonl gold.tsv --report gold.tsv",
                                    "hamming join f.txt -o f.txt",
                                    "hamming join f.txt --with q.txt -o q.txt",
                                    "hamming build f.txt -o f.txt",
                                    "hamming search index --queries q.txt -o index",
                                    "hamming search index --queries q.txt -o q.txt",
                                    "dict build --user-dict words -o words",
                                    "dedup v.jsonl --method i-match --param model=model -o model",
                                    "dedup - -o v.jsonl < v.jsonl",
                                    "dedup in -o in/kept.jsonl",
                                    "dedup linked -o v.jsonl",
                                    "dedup in --clusters in/kept.jsonl"}) {
    const std::size_t redirection = attempt.find_first_of("<>");
    std::string forced = attempt;
    if (forced.find("sign v.jsonl >>") == std::string::npos)
      forced.insert(std::min(redirection, forced.size()), " --force ");
    const Outcome outcome = run(forced);
    EXPECT_EQ(outcome.code, 2) << attempt << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("input is never changed")) << attempt;
    for (const auto& [name, bytes] : files) EXPECT_EQ(read_file(folder_ / name), bytes) << attempt;
    EXPECT_EQ(read_file(folder_ / "index"), index) << attempt;
  }
}

TEST_F(Outputs, MayLieInAnInputFolderWhereTheyArentRead) {
  folder_.write("in/a.jsonl", kRecords);
  EXPECT_EQ(run("dedup in -o in/kept.jsonl --no-audit").code, 0) << "it wasn't there when the run began";
  EXPECT_EQ(run("dedup in -o in/.kept.jsonl --no-audit").code, 0);
  EXPECT_EQ(run("dedup in -o in/.kept.jsonl --no-audit --force").code, 0) << "hidden files aren't read";
}

TEST_F(Outputs, NeverShareAPlace) {
  folder_.write("v.jsonl", kRecords);
  folder_.write("gold.tsv", "a\t1\nb\t1\n");
  ASSERT_EQ(run("pairs v.jsonl -o pairs.tsv").code, 0);
  const auto before = folder_.list();
  for (const auto& [attempt, reason] :
       {std::pair("cluster pairs.tsv --threshold .5 --clusters z --removed ./z", "are both"),
        {"cluster pairs.tsv --threshold .5 --clusters - --removed -", "can't both go to standard output"},
        {"compare v.jsonl gold.tsv --report - --json", "can't both go to standard output"},
        {"compare v.jsonl gold.tsv --report -", "can't both go to standard output"},
        {"train v.jsonl -o - --json", "can't both go to standard output"},
        {"tune v.jsonl --gold gold.tsv --curve -", "can't both go to standard output"}}) {
    const Outcome outcome = run(attempt);
    EXPECT_EQ(outcome.code, 2) << attempt;
    EXPECT_THAT(outcome.err, HasSubstr(reason)) << attempt;
    EXPECT_THAT(outcome.out, IsEmpty()) << attempt;
    EXPECT_EQ(folder_.list(), before) << attempt;
  }
  EXPECT_EQ(run("cluster pairs.tsv --threshold .5 --clusters /dev/null --removed /dev/null").code, 0);
}

TEST_F(Outputs, ThatAreMappedAreNotCompressed) {
  folder_.write("v.jsonl", kRecords);
  folder_.write("f.txt", "12\nab\n");
  for (const std::string attempt :
       {"hamming build f.txt -o k.ham.gz", "train v.jsonl -o k.ham.zst", "dict build -o k.ham.xz"}) {
    const Outcome outcome = run(attempt);
    EXPECT_EQ(outcome.code, 2) << attempt;
    EXPECT_THAT(outcome.err, HasSubstr("can't be compressed; name it k.ham")) << attempt;
  }
  EXPECT_THAT(folder_.list(), ElementsAre("f.txt", "v.jsonl"));
}

TEST_F(Outputs, AFolderIsReplacedOnlyIfItIsEmpty) {
  folder_.write("in/a.txt", "one text of several words");
  folder_.write("old/precious.txt", "theirs");
  const Outcome refused = run("dedup in -o old/ --force");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("force replaces files only"));
  EXPECT_THAT(folder_.list(), ElementsAre("in", "in/a.txt", "old", "old/precious.txt"));
  fs::create_directory(folder_.path() / "empty");
  fs::create_symlink("empty", folder_.path() / "link");
  EXPECT_EQ(run("dedup in -o link/").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "link"));
  EXPECT_TRUE(fs::exists(folder_.path() / "empty/in/a.txt"));
  EXPECT_THAT(run("dedup in -o in/a.txt/").err, HasSubstr("would write into the input"));
  EXPECT_THAT(run("dedup in -o old/precious.txt/").err, HasSubstr("is a file"));
}

TEST_F(Outputs, AppearTogetherOrNotAtAll) {
  folder_.write("v.jsonl", kRecords + kRecords);
  for (const std::string full : {"--removed", "--clusters", "--pairs", "--report"}) {
    const Outcome outcome = run("dedup v.jsonl -o kept.jsonl " + full + " /dev/full");
    EXPECT_EQ(outcome.code, 5) << full;
    EXPECT_THAT(outcome.err, HasSubstr("/dev/full: can't be written: No space left on device")) << full;
    EXPECT_THAT(folder_.list(), ElementsAre("v.jsonl")) << full;
  }
  for (const std::string name : {"in/a.txt", "in/b.txt"}) folder_.write(name, "one text of several words");
  EXPECT_EQ(run("dedup in -o out/ --removed /dev/full").code, 5);
  EXPECT_THAT(folder_.list(), ElementsAre("in", "in/a.txt", "in/b.txt", "v.jsonl"));
}

TEST_F(Outputs, TwoInputsForOnePlaceInAFolderAreRefusedBeforeTheRun) {
  folder_.write("in/a/x.txt", "one text of several words");
  folder_.write("a/x.txt", "and another one of a few");
  folder_.write("b", "a file where a folder would be");
  folder_.write("in/b/y.txt", "a third text");
  const auto dedup = [&](const std::string& inputs) {
    return run_program(
        {"sh", "-c", "cd " + (folder_ / "in") + " && " LEITONG_BINARY " dedup " + inputs + " -o out/"});
  };
  const Outcome same = dedup("a ../a");
  EXPECT_EQ(same.code, 2);
  EXPECT_THAT(same.err, HasSubstr("out/: "));
  EXPECT_THAT(same.err, HasSubstr("would have one place in it"));
  EXPECT_EQ(dedup("b --kind text ../b").code, 2) << "a file in the place of a folder";
  EXPECT_FALSE(fs::exists(folder_.path() / "in/out"));
  EXPECT_EQ(dedup("a ./a").code, 0) << "one file that is named twice";
}

TEST_F(Outputs, AKeptLinkIsKeptAsTheFileThatItNames) {
  folder_.write("elsewhere/real.txt", "one text of several words");
  fs::create_directory(folder_.path() / "in");
  fs::create_symlink("../elsewhere/real.txt", folder_.path() / "in/link.txt");
  for (const std::string how : {"", "--copy"}) {
    ASSERT_EQ(run("dedup in -o out/deep/ " + how).code, 0);
    const fs::path kept = folder_.path() / "out/deep/in/link.txt";
    EXPECT_FALSE(fs::is_symlink(kept)) << how;
    EXPECT_EQ(read_file(kept), "one text of several words") << how;
    fs::remove_all(folder_.path() / "out");
  }
}

}  // namespace
}  // namespace leitong::test
