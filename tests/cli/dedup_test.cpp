// The main job through the binary, from real files to real files.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

/// `words` random words: two texts of different seeds share nothing.
std::string random_text(unsigned seed, int words) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < words; ++i) {
    for (unsigned n = 3 + random() % 6; n-- > 0;) text += static_cast<char>('a' + random() % 26);
    text += i % 12 == 11 ? ". " : " ";
  }
  return text;
}

std::string record(const std::string& id, const std::string& text, const std::string& more = {}) {
  return "{\"id\": \"" + id + "\", \"text\": \"" + text + "\"" + more + "}\n";
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

std::vector<std::string> ids_of(const std::string& jsonl) {
  std::vector<std::string> ids;
  for (const std::string& line : lines(jsonl)) ids.push_back(Json::parse(line)["id"]);
  return ids;
}

/// Six texts: b is a shorter copy of a, c is alone, e is d with a longer end, f is equal to c.
class Dedup : public ::testing::Test {
 protected:
  TempFolder folder_;
  const std::string a_ = random_text(1, 200), c_ = random_text(2, 150), d_ = random_text(3, 180);
  const std::string b_ = a_.substr(0, a_.size() * 9 / 10), e_ = d_ + "and some words more at the end";
  const std::vector<std::string> records_ = {
      record("a", a_), record("b", b_), record("c", c_, ", \"score\": 1"),
      record("d", d_), record("e", e_), record("f", c_, ", \"score\": 2")};
  const std::string jsonl_ =
      records_[0] + records_[1] + records_[2] + records_[3] + records_[4] + records_[5];
  const std::string input_ = folder_.write("in.jsonl", jsonl_);

  /// The kept records of a run that must succeed.
  std::string kept(std::vector<std::string> more, const std::string& standard_input = {}) {
    const std::string output = folder_ / "kept-" + std::to_string(++runs_);
    std::vector<std::string> arguments = {"dedup", "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = leitong(arguments, standard_input);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    return read_file(output);
  }
  int runs_ = 0;
};

TEST_F(Dedup, KeepsTheLongestOfEachClusterByteForByteInInputOrder) {
  EXPECT_EQ(kept({input_}), records_[0] + records_[2] + records_[4]);
}

TEST_F(Dedup, EveryRecordIsKeptRemovedOrQuarantined) {
  const std::string broken = folder_.write(
      "broken.jsonl", "{\"id\": \"x\", \"text\": 5}\nno json\n\n" + record("z", random_text(9, 50)));
  const Outcome outcome = leitong({"dedup", input_, broken, "--json", "--quarantine", folder_ / "bad.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["records"], 9);
  EXPECT_EQ(json["kept"], 4);
  EXPECT_EQ(json["removed"], 3);
  EXPECT_EQ(json["quarantined"], 2);
  EXPECT_EQ(json["clusters"], 3);
  EXPECT_EQ(json["settings"]["method"], "default");
  const std::vector<std::string> bad = lines(read_file(folder_ / "bad.jsonl"));
  ASSERT_EQ(bad.size(), 2u);
  EXPECT_EQ(Json::parse(bad[0])["id"], "x");
  EXPECT_EQ(Json::parse(bad[1])["place"], broken + ":2:4");
  EXPECT_THAT(outcome.err, HasSubstr("quarantined"));
}

TEST_F(Dedup, AMethodWithAThresholdDecidesByItsOwnMeasure) {
  // They share 85 of 200 words: a Jaccard value of about 0.27.
  const std::string input =
      folder_.write("related.jsonl", record("x", random_text(11, 200)) +
                                         record("y", random_text(11, 85) + random_text(12, 115)));
  const auto pairs = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"pairs", input});
    const Outcome outcome = leitong(flags);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return lines(outcome.out).size() - 1;
  };
  EXPECT_EQ(pairs({}), 0u) << "the default rule asks for .40";
  EXPECT_EQ(pairs({"--method", "shingle"}), 1u) << "which asks for .2";
  EXPECT_EQ(pairs({"--method", "shingle", "--param", "threshold=0.4"}), 0u);
  EXPECT_EQ(pairs({"--method", "shingle", "--param", "k=3"}), 1u);
  EXPECT_EQ(pairs({"--method", "shingle", "--param", "measure=containment", "--param", "threshold=0.35"}),
            1u);
  EXPECT_EQ(pairs({"--method", "edit", "--param", "threshold=0.3"}), 1u);
  EXPECT_EQ(pairs({"--method", "shingle", "--measure", "jaccard", "--threshold", "0.4"}), 0u)
      << "what is asked for in words is stronger";
  const Json settings = Json::parse(
      leitong({"dedup", input, "--method", "shingle", "--param", "k=3", "--json"}).out)["settings"];
  EXPECT_EQ(settings["measure"], "jaccard");
  EXPECT_EQ(settings["threshold"], .2);
  EXPECT_EQ(settings["shingle_units"], 3);
}

TEST_F(Dedup, ReferencesAreNotAmongTheKept) {
  const std::string reference = folder_.write("reference.jsonl", records_[0] + records_[2]);
  const Outcome outcome = leitong({"dedup", input_, "--reference", reference, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["records"], 8);
  EXPECT_EQ(json["reference"], 2);
  EXPECT_EQ(json["removed"], 5) << "all but one of d and e";
  EXPECT_EQ(json["kept"], 1);
}

TEST_F(Dedup, TheSummaryDistinguishesAListOfPathsFromTexts) {
  folder_.write("texts/a.txt", std::string(5000, 'x'));
  folder_.write("texts/b.txt", random_text(3, 900));
  const std::string list = leitong({"dedup", folder_ / "texts", "-o", folder_ / "list", "--verbose"}).err;
  EXPECT_THAT(list, HasSubstr("list (--output, the paths of 2 files of "));
  const std::string links = leitong({"dedup", folder_ / "texts", "-o", folder_ / "links/", "--verbose"}).err;
  EXPECT_THAT(links, HasSubstr("links/ (--output, 2 files of "));
  EXPECT_THAT(leitong({"dedup", input_, "-o", folder_ / "some", "--verbose"}).err,
              HasSubstr("kB of records)"));
}

TEST_F(Dedup, RemovedNamesWhatStayedAndWhy) {
  ASSERT_EQ(leitong({"dedup", input_, "--removed", folder_ / "removed"}).code, 0);
  const std::vector<std::string> rows = lines(read_file(folder_ / "removed"));
  ASSERT_EQ(rows.size(), 3u);
  const Json b = Json::parse(rows[0]), d = Json::parse(rows[1]), f = Json::parse(rows[2]);
  EXPECT_EQ(b["id"], "b");
  EXPECT_EQ(b["kept"], "a");
  EXPECT_EQ(b["place"], input_ + ":2");
  EXPECT_GT(b["score"], .8);
  EXPECT_EQ(d["kept"], "e");
  EXPECT_EQ(f["kept"], "c");
  EXPECT_EQ(f["measure"], "identical");
}

TEST_F(Dedup, OnlyTheSameTextIsCalledSoAndSignsThatAreTextKeepCopiesApart) {
  const std::string input = folder_.write(
      "signs.jsonl",
      record("less", "If x < y the pump stays off.") + record("case", "IF  x<y the pump stays off.") +
          record("quoted", "“If x < y”, the pump stays off!") +
          record("more", "If x > y the pump stays off.") + record("plus", "12+7") + record("minus", "12-7") +
          record("c", "We write C") + record("cpp", "We write C++") + record("cs", "We write C#") +
          record("cold", "-12") + record("warm", "12") + record("bullet", "- 12"));
  const std::string removed = folder_ / "removed", relatives = folder_ / "relatives",
                    pairs = folder_ / "pairs", again = folder_ / "again";
  const auto reasons = [](const std::string& path, const std::string& other) {
    std::map<std::string, std::string> found;
    for (const std::string& line : lines(read_file(path))) {
      const Json row = Json::parse(line);
      found[row["id"]] = row[other].get<std::string>() + ": " + row["reason"].get<std::string>();
    }
    return found;
  };
  const std::string same = "similar: the same text";
  const std::string copy = "similar: a copy, which differs in signs or marks only";
  const std::string stays = "stays: a copy that differs in signs that are text";
  for (const std::string limits : {"careful", "lossless", "wide"}) {
    const Outcome run = leitong({"dedup", input, "--keep", "first", "--remove", limits, "--removed", removed,
                                 "--kept-similar", relatives, "--json", "--force"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(reasons(removed, "kept"),
              (std::map<std::string, std::string>{
                  {"case", "less: " + same}, {"quoted", "less: " + copy}, {"bullet", "warm: " + copy}}));
    EXPECT_EQ(reasons(relatives, "relative"),
              (std::map<std::string, std::string>{{"more", "less: " + stays},
                                                  {"minus", "plus: " + stays},
                                                  {"cpp", "c: " + stays},
                                                  {"cs", "c: " + stays},
                                                  {"warm", "cold: " + stays}}));
    const Json summary = Json::parse(run.out);
    EXPECT_EQ(summary["removed"], 3);
    EXPECT_EQ(summary["removed_copies"], 3);
    EXPECT_EQ(summary["relatives"], 5);
    EXPECT_EQ(summary["clusters"], 4);
  }
  ASSERT_EQ(leitong({"pairs", input, "-o", pairs}).code, 0);
  for (const std::string limits : {"careful", "similar"}) {
    ASSERT_EQ(
        leitong({"dedup", input, "--keep", "first", "--remove", limits, "--removed", removed, "--force"})
            .code,
        0);
    const Outcome run = leitong({"cluster", pairs, "--threshold", "0", "--keep", "first", "--remove", limits,
                                 "--removed", again, "--force"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(lines(read_file(removed)).size(), limits == "careful" ? 3u : 8u);
    EXPECT_EQ(lines(read_file(again)).size(), limits == "careful" ? 3u : 8u);
  }
}

TEST_F(Dedup, NumbersThatAreMaskedLetLinesOfALogLeaveForEachOther) {
  const std::string input = folder_.write(
      "log.jsonl",
      record("a", "2026-11-26 08:30:05 pump 7 started after 12.5 ms of waiting for the valve") +
          record("b", "2026-11-26 08:31:44 pump 12 started after -3 ms of waiting for the valve") +
          record("c", "2026-11-26 08:31:44 pump 12 stopped, and the north bank has no water"));
  const std::string removed = folder_ / "removed", pairs = folder_ / "pairs", again = folder_ / "again";
  const std::string copy = "similar: a copy, which differs in numbers, signs or marks only";
  ASSERT_EQ(leitong({"dedup", input, "--keep", "first", "--numbers", "masked", "--removed", removed,
                     "--pairs", pairs})
                .code,
            0);
  const std::vector<std::string> rows = lines(read_file(removed));
  ASSERT_EQ(rows.size(), 1u);
  const Json row = Json::parse(rows[0]);
  EXPECT_EQ(row["id"], "b");
  EXPECT_EQ(row["kept"], "a");
  EXPECT_EQ(row["measure"], "copy");
  EXPECT_EQ(row["reason"], copy);
  EXPECT_EQ(row["loss"], 0);
  ASSERT_EQ(leitong({"cluster", pairs, "--threshold", "0", "--keep", "first", "--numbers", "masked",
                     "--removed", again})
                .code,
            0);
  const std::vector<std::string> decided = lines(read_file(again));
  ASSERT_EQ(decided.size(), 1u);
  EXPECT_EQ(Json::parse(decided[0])["reason"].get<std::string>().substr(0, copy.size()), copy);
  ASSERT_EQ(leitong({"dedup", input, "--removed", removed, "--force"}).code, 0);
  EXPECT_TRUE(read_file(removed).empty()) << "numbers count";
  const Outcome compared =
      leitong({"compare", "--text", "pump 7: 12.5 ms", "pump 12: -3 ms", "--numbers", "masked", "--json"});
  EXPECT_EQ(Json::parse(compared.out)["similar_by"], "copy") << compared.err;
}

TEST_F(Dedup, MarksThatAreKeptKeepSpellingsApart) {
  const std::string input =
      folder_.write("marks.jsonl", record("a", "Été à la mer") + record("b", "ete a la mer"));
  const std::string kept = folder_ / "kept";
  ASSERT_EQ(leitong({"dedup", input, "-o", kept}).code, 0);
  EXPECT_EQ(lines(read_file(kept)).size(), 1u);
  ASSERT_EQ(leitong({"dedup", input, "--marks", "keep", "-o", kept, "--force"}).code, 0);
  EXPECT_EQ(lines(read_file(kept)).size(), 2u);
}

TEST_F(Dedup, ClustersAreRowsOfIdAndNumber) {
  ASSERT_EQ(
      leitong({"dedup", input_, "--clusters", folder_ / "clusters", "--components", folder_ / "components"})
          .code,
      0);
  const std::vector<std::string> rows = lines(read_file(folder_ / "clusters"));
  EXPECT_EQ(rows.size(), 6u);
  const std::string gold = folder_.write("gold", "a\t1\nb\t1\nc\t2\nf\t2\nd\t3\ne\t3\n");
  for (const std::string result : {"clusters", "components"}) {
    const Outcome eval = leitong({"eval", "--gold", gold, "--clusters", folder_ / result, "--json"});
    EXPECT_EQ(Json::parse(eval.out)["pairs_f1"], 1) << result;
  }
}

TEST_F(Dedup, TheKeepPolicyDecidesWhichDocumentStays) {
  EXPECT_THAT(ids_of(kept({input_, "--keep", "first"})), ElementsAre("a", "c", "d"));
  EXPECT_THAT(ids_of(kept({input_, "--keep", "max:score"})), ElementsAre("a", "d", "f"));
  const std::string other = folder_.write("other.jsonl", record("better", b_));
  const std::string by_source = "source:" + other;
  EXPECT_THAT(ids_of(kept({input_, other, "--keep", by_source})), ElementsAre("a", "c", "d", "better"))
      << "a tenth of a stands in no better text, whatever is preferred";
  EXPECT_THAT(ids_of(kept({input_, other, "--keep", by_source, "--remove", "similar"})),
              ElementsAre("c", "d", "better"));
}

TEST_F(Dedup, WhatIsLostIsSaidOfEachThatLeavesAndWhatItHasOfItsOwnOfEachThatStays) {
  const std::string removed = folder_ / "removed", relatives = folder_ / "relatives",
                    clusters = folder_ / "clusters";
  const std::string input = folder_.write(
      "versions.jsonl", record("long", a_) + record("edited", "word" + a_.substr(8, a_.size() - 200)) +
                            record("version", b_.substr(0, b_.size() - 300) + random_text(20, 40)));
  const Outcome outcome = leitong(
      {"dedup", input, "--removed", removed, "--kept-similar", relatives, "--clusters", clusters, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["removed"], 1);
  EXPECT_EQ(json["relatives"], 1);
  EXPECT_GT(json["lost_units"], 0);
  EXPECT_EQ(json["settings"]["loss"], .05);
  const Json gone = Json::parse(read_file(removed));
  EXPECT_EQ(gone["id"], "edited");
  EXPECT_GT(gone["loss"], 0);
  EXPECT_LT(gone["loss"], .01);
  EXPECT_THAT(gone["reason"].get<std::string>(), HasSubstr("; the kept text holds 99."));
  const Json stays = Json::parse(read_file(relatives));
  EXPECT_EQ(stays["id"], "version");
  EXPECT_EQ(stays["relative"], "long");
  EXPECT_THAT(stays["reason"].get<std::string>(),
              ContainsRegex("^stays: [0-9.]+ % of it stands nowhere else$"));
  const std::string text = Json::parse(lines(read_file(input))[2])["text"];
  const std::size_t begin = stays["longest_own_begin"], end = stays["longest_own_end"];
  EXPECT_NEAR(static_cast<double>(begin), static_cast<double>(b_.size() - 300), 10);
  EXPECT_GT(end, text.size() - 10);
  EXPECT_EQ(read_file(clusters), "long\t1\tlong\nedited\t1\tlong\nversion\t1\tversion\n");
}

TEST_F(Dedup, ByPairsWithLossesTheClusterCommandDecidesAsTheRunDid) {
  const std::string pairs = folder_ / "pairs", run = folder_ / "run", again = folder_ / "again";
  for (const std::string limits : {"lossless", "careful", "wide", "similar"}) {
    ASSERT_EQ(leitong({"dedup", input_, "--clusters", run, "--remove", limits, "--force"}).code, 0);
    ASSERT_EQ(leitong({"pairs", input_, "-o", pairs, "--force"}).code, 0);
    const Outcome outcome =
        leitong({"cluster", pairs, "--threshold", "0", "--clusters", again, "--remove", limits, "--force"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_file(again), read_file(run)) << limits;
  }
}

TEST_F(Dedup, TheTextThatCoversMostStays) {
  std::string lines;
  const auto add = [&](const std::string& id, std::initializer_list<std::pair<int, int>> words) {
    std::string text;
    for (const auto& [begin, end] : words)
      for (int i = begin; i < end; ++i) text += fmt::format("word{} ", i);
    lines += Json{{"id", id}, {"text", text}}.dump() + "\n";
  };
  add("longest", {{0, 200}, {300, 370}});
  add("middle", {{0, 200}, {400, 460}});
  add("one", {{0, 200}, {400, 430}});
  add("three", {{0, 200}});
  const std::string input = folder_.write("covering.jsonl", lines), clusters = folder_ / "clusters",
                    again = folder_ / "again", pairs = folder_ / "pairs";
  const auto run = [&](const std::string& keep) {
    EXPECT_EQ(
        leitong({"dedup", input, "--clusters", clusters, "--pairs", pairs, "--keep", keep, "--force"}).code,
        0);
    EXPECT_EQ(
        leitong({"cluster", pairs, "--threshold", "0", "--clusters", again, "--keep", keep, "--force"}).code,
        0);
    EXPECT_EQ(read_file(again), read_file(clusters)) << keep;
    return read_file(clusters);
  };
  EXPECT_EQ(run("longest"), "longest\t1\tlongest\nmiddle\t1\tmiddle\none\t1\tmiddle\nthree\t1\tlongest\n");
  EXPECT_EQ(run("covering"), "longest\t1\tlongest\nmiddle\t1\tmiddle\none\t1\tmiddle\nthree\t1\tmiddle\n");
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"dedup", input, "--clusters", clusters, "--force"},
           {"cluster", pairs, "--threshold", "0", "--clusters", clusters, "--force"}}) {
    std::vector<std::string> all = command;
    all.insert(all.end(), {"--keep", "covering", "--remove", "similar"});
    const Outcome outcome = leitong(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--keep"));
  }
}

TEST_F(Dedup, LimitsThatAreNamedNeedAFileOfPairsThatHoldsLosses) {
  const std::string pairs = folder_ / "pairs";
  ASSERT_EQ(leitong({"dedup", input_, "--remove", "similar", "--pairs", pairs}).code, 0);
  const auto cluster = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"cluster",    pairs,         "--threshold", "0",
                                    "--clusters", folder_ / "c", "--force"};
    all.insert(all.end(), more.begin(), more.end());
    return leitong(all);
  };
  EXPECT_EQ(cluster({}).code, 0) << "all that is similar leaves, as in the run";
  for (const auto& named :
       std::vector<std::vector<std::string>>{{"--remove", "careful"}, {"--loss", "0.05"}}) {
    const Outcome outcome = cluster(named);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("the columns loss_a and loss_b are missing"))
        << "the default, by name";
  }
}

TEST_F(Dedup, LimitsOfLossThatContradictEachOtherAreRefused) {
  const std::string output = folder_ / "kept";
  EXPECT_THAT(leitong({"dedup", input_, "-o", output, "--remove", "wide", "--loss", ".1"}).err,
              HasSubstr("leave one of the two out (--loss, --remove)"));
  EXPECT_THAT(leitong({"dedup", input_, "-o", output, "--remove", "wide", "--no-verify"}).err,
              HasSubstr("losses are unknown"));
  EXPECT_THAT(ids_of(kept({input_, "--loss", "1", "--loss-run", "1"})), ElementsAre("a", "c", "e"));
}

TEST_F(Dedup, WarnsOfAKeepPolicyThatFindsNothingToGoBy) {
  for (const std::string policy : {"newest:date", "max:rank", "source:elsewhere/"}) {
    const Outcome outcome = leitong({"dedup", input_, "-o", folder_ / "kept", "--force", "--keep", policy});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("--keep " + policy + ": 6 of 6 similar documents")) << policy;
  }
}

TEST_F(Dedup, ReferencesRemoveOthersAndAreNeverWritten) {
  const std::string reference = folder_.write("reference.jsonl", record("r", b_));
  EXPECT_THAT(ids_of(kept({input_, "--reference", reference, "--remove", "similar"})), ElementsAre("c", "e"));
  EXPECT_THAT(ids_of(kept({input_, "--reference", reference})), ElementsAre("a", "c", "e"))
      << "the reference lacks a tenth of a";
}

TEST_F(Dedup, APipeGivesTheSameAsAFile) {
  EXPECT_EQ(kept({"-"}, jsonl_), kept({input_}));
  const Outcome through = leitong({"dedup", "-", "-o", "-"}, jsonl_);
  EXPECT_EQ(through.code, 0) << through.err;
  EXPECT_EQ(through.out, records_[0] + records_[2] + records_[4]);
}

TEST_F(Dedup, ThreadsAndCpusChangeNothing) {
  std::string corpus;
  for (unsigned i = 0; i < 400; ++i) {
    const std::string text = random_text(i % 150, 60);
    corpus += record(std::to_string(i) + "n", text.substr(0, text.size() - i / 10));
  }
  const std::string file = folder_.write("corpus.jsonl", corpus);
  const auto run = [&](std::vector<std::string> more, const std::string& simd) {
    std::vector<std::string> arguments = {"dedup",       file,      "-o",          folder_ / "k", "--removed",
                                          folder_ / "r", "--pairs", folder_ / "p", "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(leitong(arguments, "", {"LEITONG_SIMD=" + simd}).code, 0);
    return read_file(folder_ / "k") + read_file(folder_ / "r") + read_file(folder_ / "p");
  };
  const std::string one = run({"--threads", "1"}, "scalar");
  EXPECT_THAT(one, HasSubstr("399n"));
  EXPECT_EQ(one, run({"--threads", "2"}, "avx2"));
  EXPECT_EQ(one, run({"--threads", "4", "--memory", "100M"}, "avx512"));
}

TEST_F(Dedup, AProcessorWithoutAvxFindsTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers don't run under qemu: TESTED ONLY WITHOUT THEM";
#endif
  if (!have_program("qemu-x86_64"))
    GTEST_SKIP() << "qemu-x86_64 (Debian: qemu-user) isn't there to play an old processor: NOT TESTED";
  const std::vector<std::string> run = {LEITONG_BINARY, "dedup",       input_,   "-o", "-",
                                        "--removed",    folder_ / "r", "--force"};
  std::vector<std::string> emulated = {"qemu-x86_64", "-cpu", "Nehalem"};
  emulated.insert(emulated.end(), run.begin(), run.end());
  const Outcome here = run_program(run);
  const std::string removed = read_file(folder_ / "r");
  const Outcome there = run_program(emulated);
  ASSERT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(there.out, here.out);
  EXPECT_EQ(read_file(folder_ / "r"), removed);
}

TEST_F(Dedup, ExactComparesAllPairsAndFindsTheSameHere) {
  const std::string output = folder_ / "exact";
  const Outcome outcome = leitong({"dedup", input_, "--all-pairs", "-o", output, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["settings"]["method"], "all-pairs");
  EXPECT_EQ(read_file(output), kept({input_}));
}

TEST_F(Dedup, EveryListedMethodRunsAndRemovesTheCopy) {
  // Methods with a model look at words, for which not every machine has a dictionary.
  const std::string model = folder_ / "terms.model";
  const bool has_dictionary = leitong({"train", input_, "-o", model}).code == 0;
  int run = 0;
  for (const std::string& name : lines(leitong({"methods"}).out)) {
    if (name.starts_with(" ")) continue;
    std::vector<std::string> arguments = {input_, "--method", name};
    if (name.find("simhash") != std::string::npos || name == "i-match") {
      if (!has_dictionary) continue;
      arguments.insert(arguments.end(), {"--param", "model=" + model});
    }
    EXPECT_THAT(ids_of(kept(arguments)), Not(::testing::Contains("f"))) << name;
    ++run;
  }
  EXPECT_GE(run, 6);
}

TEST_F(Dedup, WithoutAnOutputItSaysWhatToDo) {
  const Outcome outcome = leitong({"dedup", input_});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nothing would be written"));
  EXPECT_THAT(outcome.err, HasSubstr("-o FILE"));
}

TEST_F(Dedup, OutputsAreReplacedOnlyByForce) {
  const std::string output = folder_.write("kept", "precious");
  const Outcome refused = leitong({"dedup", input_, "-o", output});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(read_file(output), "precious");
  EXPECT_EQ(leitong({"dedup", input_, "-o", output, "--force"}).code, 0);
  EXPECT_THAT(ids_of(read_file(output)), ElementsAre("a", "c", "e"));
}

TEST_F(Dedup, TheInputIsNeverAnOutput) {
  const std::vector<std::vector<std::string>> attempts = {{"-o", input_},
                                                          {"--removed", folder_.path() / "." / "in.jsonl"},
                                                          {"-o", folder_.path().string() + "/"}};
  for (std::vector<std::string> attempt : attempts) {
    attempt.insert(attempt.begin(), {"dedup", input_, "--force"});
    const Outcome outcome = leitong(attempt);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("input is never changed"));
    EXPECT_EQ(read_file(input_), jsonl_);
  }
}

TEST_F(Dedup, ThePresetReuseFindsPassagesOfOtherTextsAndTheirLength) {
  // 40 words of one article in another one: about 240 letters, 120 units.
  const std::string quoted = random_text(50, 40), host = random_text(51, 900), other = random_text(52, 900);
  const std::string input =
      folder_.write("articles.jsonl", record("donor", quoted + random_text(53, 900)) +
                                          record("host", host + quoted) + record("other", other));
  const Outcome pairs = leitong({"pairs", input, "--preset", "reuse"});
  ASSERT_EQ(pairs.code, 0) << pairs.err;
  const std::vector<std::string> rows = lines(pairs.out);
  ASSERT_EQ(rows.size(), 2u) << pairs.out;
  EXPECT_THAT(rows[1], StartsWith("donor\thost\tpassage\t"));
  EXPECT_THAT(
      rows[1],
      ContainsRegex("similar: a common passage with 1[0-9][0-9] units that are no template; containment 0"));

  const std::string removed = folder_ / "removed.jsonl";
  const Outcome dedup =
      leitong({"dedup", input, "--preset", "reuse", "--remove", "similar", "--removed", removed, "--json"});
  ASSERT_EQ(dedup.code, 0) << dedup.err;
  EXPECT_THAT(dedup.err, HasSubstr("leitong pairs --preset reuse shows such pairs"));
  const Json row = Json::parse(read_file(removed));
  EXPECT_EQ(row["measure"], "passage");
  EXPECT_THAT(row["reason"].get<std::string>(), HasSubstr("a common passage with 1"));
  const Json settings = Json::parse(dedup.out)["settings"];
  EXPECT_EQ(settings["preset"], "reuse");
  EXPECT_EQ(settings["measure"], "containment");
  EXPECT_EQ(settings["threshold"], .15);
  EXPECT_EQ(settings["passage_units"], 60);
  EXPECT_EQ(leitong({"pairs", input}).out, lines(pairs.out)[0] + "\n") << "the default rule finds none";
}

TEST_F(Dedup, TheSummaryNamesTheSiteFieldWherePagesOfASmallSiteLeave) {
  const std::string frame = random_text(60, 60);
  std::string pages;
  for (unsigned page = 0; page < 5; ++page)
    pages += Json{{"id", std::to_string(page)},
                  {"url", "https://small.com/" + std::to_string(page)},
                  {"text", frame + " " + random_text(61 + page, 30)}}
                 .dump() +
             "\n";
  const std::string input = folder_.write("pages.jsonl", pages);
  const Outcome without = leitong({"dedup", input, "-o", folder_ / "kept.jsonl"});
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_THAT(without.err, HasSubstr("10 pairs may share a template of fewer than 8 families of texts; "
                                     "--site-field url finds it"));
  const Outcome with = leitong({"dedup", input, "-o", folder_ / "all.jsonl", "--site-field", "url"});
  EXPECT_THAT(with.err, Not(HasSubstr("--site-field")));
  EXPECT_EQ(lines(read_file(folder_ / "all.jsonl")).size(), 5u);
}

TEST_F(Dedup, FlagsThatContradictEachOtherAreRefused) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--measure", "edit"}, "needs a threshold"},
      {{"--strict-match", "--threshold", ".5"}, "leave one of the two out"},
      {{"--preset", "reuse", "--threshold", ".5"}, "rule of its own"},
      {{"--preset", "strict", "--strict-match"}, "rule of its own"},
      {{"--preset", "lenient"}, "default, strict, reuse"},
      {{"--all-pairs", "--method", "minhash"}, "contradict"},
      {{"--threshold", "1.5"}, "not between 0 and 1"},
      {{"--memory", "lots"}, "\"lots\" is no size"},
      {{"--method", "magic"}, "default"},
      {{"--keep", "best"}, "longest, shortest"},
      {{"--vector-search", "approximate"}, "an approximate search is one of vectors"},
      {{"--removed", "-", "--json"}, "can't both go to standard output"},
      {{"--removed", "x", "--pairs", "./x"}, "are both"},
  };
  for (auto [arguments, reason] : cases) {
    arguments.insert(arguments.begin(), {"dedup", input_, "-o", folder_ / "kept"});
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 2) << reason;
    EXPECT_THAT(outcome.err, HasSubstr(reason));
    EXPECT_THAT(outcome.err, StartsWith("leitong: "));
    EXPECT_THAT(folder_.list(), ElementsAre("in.jsonl"));
  }
}

TEST_F(Dedup, AnApproximateSearchOfVectorsReportsItsRecall) {
  std::string records;
  for (int i = 0; i < 10'000; ++i) {
    // Every second text is near the one before it.
    std::mt19937 random(static_cast<unsigned>(i / 2));
    std::string vector;
    for (int k = 0; k < 12; ++k)
      vector += std::to_string(static_cast<int>(random() % 2001) - 1000 + (i % 2 == k ? 20 : 0)) + ", ";
    records += record(std::to_string(i), std::to_string(std::mt19937(static_cast<unsigned>(i) + 9'999)()),
                      R"(, "v": [)" + vector + "0]");
  }
  const std::string output = folder_ / "kept.jsonl";
  const Outcome outcome = leitong({"dedup", folder_.write("vectors.jsonl", records), "-o", output,
                                   "--vectors", "v", "--cosine", ".998", "--vector-search", "approximate"});
  if (outcome.err.find("this build has no approximate search of vectors") != std::string::npos) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("run ./dev setup and build again, or search exactly"));
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("approximate search: found "));
  EXPECT_THAT(outcome.err, HasSubstr(" of 1,024 sampled vectors, "));
  EXPECT_NEAR(static_cast<double>(lines(read_file(output)).size()), 5'000, 50);
}

TEST_F(Dedup, StrictStopsAtTheFirstBadRecordWithItsPlaceAndWritesNothing) {
  const std::string broken = folder_.write("broken.jsonl", records_[0] + "{\"id\": \"x\"}\n");
  const Outcome outcome = leitong({"dedup", broken, "-o", folder_ / "kept", "--strict"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("broken.jsonl:2"));
  EXPECT_THAT(folder_.list(), ElementsAre("broken.jsonl", "in.jsonl"));
}

TEST_F(Dedup, RepeatedIdsAreNamedWithBothPlaces) {
  const std::string twice = folder_.write("twice.jsonl", records_[0] + records_[2] + records_[0]);
  const Outcome outcome = leitong({"dedup", twice, "-o", folder_ / "kept"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("\"a\": " + twice + ":1 and " + twice + ":3"));
  EXPECT_EQ(leitong({"dedup", twice, "-o", folder_ / "strict", "--strict"}).code, 1);
}

TEST_F(Dedup, TooLittleMemoryIsRefusedWithTheLeastThatWorks) {
  const Outcome outcome = leitong({"dedup", input_, "-o", folder_ / "kept", "--memory", "1M"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("smallest"));
}

TEST_F(Dedup, AFolderOfTextsBecomesAListOrAFolderOfLinks) {
  for (const auto& [name, text] : {std::pair("t/a.txt", a_), {"t/b.txt", b_}, {"t/sub/c.txt", c_}})
    folder_.write(name, text);
  const std::vector<std::string> paths = lines(kept({folder_ / "t"}));
  EXPECT_THAT(paths, ElementsAre(folder_ / "t/a.txt", folder_ / "t/sub/c.txt"));
  const Outcome outcome = leitong({"dedup", folder_ / "t", "-o", folder_ / "unique/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::size_t files = 0;
  for (const std::string& name : folder_.list())
    files += name.starts_with("unique/") && name.ends_with(".txt") ? 1 : 0;
  EXPECT_EQ(files, 2u);
}

TEST_F(Dedup, WhatCannotBecomeOneOutputIsRefused) {
  const std::string table = folder_.write("in.csv", "id,text\n1," + a_ + "\n");
  const Outcome mixed = leitong({"dedup", input_, table, "-o", folder_ / "kept"});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err,
              HasSubstr("in.csv: csv records can't be written into one file with the jsonl records"));
  const std::string document = folder_.write("one.txt", a_);
  const Outcome folder = leitong({"dedup", input_, document, "-o", folder_ / "kept/"});
  EXPECT_EQ(folder.code, 2);
  EXPECT_THAT(folder.err, HasSubstr("one.txt: is one document"));
  EXPECT_THAT(folder_.list(), ElementsAre("in.csv", "in.jsonl", "one.txt"));
}

TEST_F(Dedup, AFolderHasAFileForEachFileOfRecords) {
  const std::string again = folder_.write("again.csv", "id,text\n1," + a_ + "\n");
  const Outcome outcome = leitong({"dedup", input_, again, "-o", folder_ / "kept/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto content = [&](std::string_view ending) {
    for (const std::string& name : folder_.list())
      if (name.starts_with("kept/") && name.ends_with(ending)) return read_file(folder_ / name);
    return std::string("no such file");
  };
  EXPECT_EQ(content("/again.csv"), "id,text\n") << "its record is in the other file";
  EXPECT_EQ(content("/in.jsonl"), kept({input_}));
}

TEST_F(Dedup, ADryRunReportsAndWritesNothing) {
  const Outcome outcome = leitong({"dedup", input_, "-o", folder_ / "kept", "--dry-run", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["documents"], 6);
  EXPECT_EQ(json["whole"], true);
  EXPECT_DOUBLE_EQ(json["removed_share"], .5);
  EXPECT_EQ(json["would_write"]["output"], folder_ / "kept");
  EXPECT_THAT(outcome.err, HasSubstr("would write " + (folder_ / "kept")));
  EXPECT_THAT(folder_.list(), ElementsAre("in.jsonl"));
}

TEST_F(Dedup, ADryRunNamesWhatTheRunWouldRefuse) {
  const std::string file = folder_.write("kept.jsonl", "mine\n");
  folder_.write("links/mine", "mine\n");
  EXPECT_THAT(leitong({"dedup", input_, "-o", file, "--dry-run"}).err,
              HasSubstr(file + " exists: the run would refuse to replace it without --force"));
  EXPECT_THAT(leitong({"dedup", input_, "-o", folder_ / "links", "--dry-run"}).err,
              HasSubstr("links: the folder isn't empty: the run would refuse it"));
}

TEST_F(Dedup, ADryRunOfALargeInputSamplesItFromManyPlaces) {
  constexpr int kFiles = 100;
  std::string megabytes;
  for (unsigned i = 0; megabytes.size() < (2 << 20); ++i)
    megabytes += record(std::to_string(i), random_text(i, 1000));
  const std::string first = folder_.write("big/0.jsonl", megabytes);
  for (int i = 1; i < kFiles; ++i)
    std::filesystem::create_hard_link(first, folder_ / ("big/" + std::to_string(i) + ".jsonl"));
  const Outcome outcome = leitong({"dedup", folder_ / "big", "-o", folder_ / "kept", "--dry-run", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["whole"], false);
  EXPECT_EQ(json["input_bytes"], kFiles * megabytes.size());
  EXPECT_LT(json["sampled_bytes"], json["input_bytes"]);
  const double records = kFiles * static_cast<double>(lines(megabytes).size());
  EXPECT_NEAR(json["documents"].get<double>(), records, records / 20);
  EXPECT_GT(json["removed_share"], .8) << "all files are the same, which no single place would show";
}

TEST_F(Dedup, PairsAreScoredAndNothingIsRemoved) {
  const Outcome outcome = leitong({"pairs", input_});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> rows = lines(outcome.out);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(rows[0], StartsWith("id_a\tid_b\tmeasure\tscore"));
  EXPECT_THAT(rows[1], StartsWith("a\tb\t"));
  EXPECT_THAT(rows[2], StartsWith("c\tf\tidentical\t1\t"));
  EXPECT_THAT(rows[3], StartsWith("d\te\t"));
}

TEST_F(Dedup, StoredPairsAreDecidedAsTheRunDid) {
  ASSERT_EQ(leitong({"dedup", input_, "--pairs", folder_ / "pairs.tsv.gz", "--clusters", folder_ / "clusters",
                     "--components", folder_ / "components", "--removed", folder_ / "removed"})
                .code,
            0);
  const Outcome again =
      leitong({"cluster", folder_ / "pairs.tsv.gz", "--threshold", "0", "--clusters", folder_ / "clusters2",
               "--components", folder_ / "components2", "--removed", folder_ / "removed2"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read_file(folder_ / "clusters2"), read_file(folder_ / "clusters"));
  EXPECT_EQ(read_file(folder_ / "components2"), read_file(folder_ / "components"));
  EXPECT_THAT(again.err, HasSubstr("pairs below it were never stored"));
  const std::vector<std::string> first = lines(read_file(folder_ / "removed")),
                                 second = lines(read_file(folder_ / "removed2"));
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    for (const std::string field : {"id", "kept", "cluster", "measure", "score", "reason"})
      EXPECT_EQ(Json::parse(first[i])[field], Json::parse(second[i])[field]);
}

TEST_F(Dedup, ACopyIsDecidedAgainForTheReasonOfItsText) {
  const std::string input =
      folder_.write("copies.jsonl", record("b", b_) + record("a", a_) + record("c", b_));
  ASSERT_EQ(leitong({"dedup", input, "--pairs", folder_ / "p.tsv", "--removed", folder_ / "removed"}).code,
            0);
  ASSERT_EQ(
      leitong({"cluster", folder_ / "p.tsv", "--threshold", "0", "--removed", folder_ / "removed2"}).code, 0);
  const std::vector<std::string> first = lines(read_file(folder_ / "removed")),
                                 second = lines(read_file(folder_ / "removed2"));
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (const std::string field : {"id", "kept", "cluster", "measure", "score", "reason"})
      EXPECT_EQ(Json::parse(first[i])[field], Json::parse(second[i])[field]);
}

TEST_F(Dedup, PairsOfARunInWhichTemplatesCountedHaveNoReasonAndNoOwnText) {
  const std::string pairs = folder_ / "plain.tsv";
  ASSERT_EQ(leitong({"pairs", input_, "--template-text", "counted", "-o", pairs}).code, 0);
  const Outcome plain = leitong({"cluster", pairs, "--threshold", "0", "--removed", "-"});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, Not(HasSubstr("reason")));
  const Outcome own =
      leitong({"cluster", pairs, "--threshold", "0", "--measure", "own_jaccard", "--removed", "-"});
  EXPECT_EQ(own.code, 2);
  EXPECT_THAT(own.err, HasSubstr("plain.tsv:2: the columns own_jaccard and own_containment are missing"));
  EXPECT_THAT(own.err,
              HasSubstr("make the pairs anew with templates left out, or choose the measure jaccard or "
                        "containment (--template-text)"));
}

/// Texts that share only a footer; no pair of them is in question because of it.
std::string with_one_footer() {
  std::string corpus;
  for (unsigned i = 0; i < 20; ++i)
    corpus += record(std::to_string(i), random_text(10 + i, 150) + random_text(9, 40));
  return corpus;
}

TEST_F(Dedup, SaysInHowManyDocumentsTemplatesWereLookedFor) {
  const std::string input = folder_.write("footer.jsonl", with_one_footer());
  const std::string list = folder_ / "templates.tsv";
  const Outcome few = leitong({"pairs", input, "-o", folder_ / "p.tsv", "--templates", list});
  EXPECT_EQ(few.code, 0) << few.err;
  EXPECT_EQ(lines(read_file(list)).size(), 1u) << "the heading";
  EXPECT_THAT(few.err, HasSubstr("templates were looked for in 0 of 20 different documents"));
  EXPECT_THAT(few.err, HasSubstr("leitong pairs --preset reuse --all-pairs looks in more"));
  const Outcome all = leitong({"pairs", input, "-o", folder_ / "p.tsv", "--templates", list, "--preset",
                               "reuse", "--all-pairs", "--force"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(lines(read_file(list)), ElementsAre(StartsWith("families"), StartsWith("20\t")));
  EXPECT_THAT(all.err, Not(HasSubstr("were looked for")));
  EXPECT_THAT(leitong({"pairs", input, "-o", "-"}).err, Not(HasSubstr("were looked for")));
}

TEST_F(Dedup, TemplatesGoWithTheDefaultRuleAndTheMessageNamesTheOtherFlag) {
  for (const auto& [flags, other] :
       {std::pair<std::vector<std::string>, std::string>{{"--threshold", "0.5"}, "--threshold"},
        {{"--measure", "containment", "--threshold", "0.5"}, "--threshold"},
        {{"--no-verify"}, "--no-verify"}}) {
    std::vector<std::string> arguments = {"pairs", input_, "--template-text", "ignored"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("(--template-text, " + other + ")"));
  }
  const Outcome own = leitong({"pairs", input_, "--template-text", "ignored", "--method", "edit"});
  EXPECT_EQ(own.code, 2);
  EXPECT_THAT(own.err,
              HasSubstr("choose another method, or let templates count (--template-text, --method)"));
  EXPECT_EQ(leitong({"pairs", input_, "--template-text", "ignored", "--method", "simhash"}).code, 0)
      << "the rule decides its pairs";
}

TEST_F(Dedup, ANamedInputThatIsMissingFailsBeforeTheRun) {
  const std::string none = folder_ / "none.jsonl", kept = folder_ / "kept";
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"dedup", none, "-o", kept},
                                             {"dedup", "", "-o", kept},
                                             {"dedup", input_, "--reference", none, "-o", kept},
                                             {"dedup", none, "--dry-run"},
                                             {"pairs", input_, none, "-o", kept},
                                             {"sign", none, "-o", kept},
                                             {"train", none, "-o", kept}}) {
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments[0];
    EXPECT_THAT(outcome.err, HasSubstr("can't be read: No such file or directory"));
    EXPECT_FALSE(std::filesystem::exists(kept));
  }
}

TEST_F(Dedup, StandardInputIsReadOnce) {
  EXPECT_EQ(leitong({"dedup", "-", "--reference", "-", "-o", "-"}, jsonl_).code, 2);
  EXPECT_EQ(leitong({"pairs", "-", "-"}, jsonl_).code, 2);
  const Outcome outcome = leitong({"eval", "--gold", "-", "--clusters", "-"}, "a\t1\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("- is given twice"));
  EXPECT_EQ(leitong({"hamming", "join", "-", "--with", "-"}, "12\n").code, 2);
}

TEST_F(Dedup, TheFirstReasonOfTheQuarantineIsShown) {
  const std::string bad = folder_.write("bad.jsonl", "{}\n{}\n");
  const std::string reason = "bad.jsonl:1: field \"text\" is missing";
  const Outcome pairs = leitong({"pairs", bad});
  EXPECT_THAT(pairs.err, HasSubstr(reason));
  EXPECT_THAT(pairs.err, Not(HasSubstr("--quarantine"))) << "pairs has no such flag";
  EXPECT_THAT(leitong({"dedup", bad, "-o", "-"}).err, HasSubstr("--quarantine FILE"));
  EXPECT_THAT(leitong({"dedup", bad, "-o", "-", "--quarantine", folder_ / "q"}).err,
              Not(HasSubstr("--quarantine FILE")));
}

TEST_F(Dedup, ADryRunKnowsTheSizeOfWhatIsNoPipe) {
  const std::string pipe = "of unknown size";
  EXPECT_THAT(leitong({"dedup", "-", "--dry-run"}, jsonl_).err, Not(HasSubstr(pipe)));
  std::filesystem::create_directory(folder_.path() / "empty");
  EXPECT_THAT(leitong({"dedup", folder_ / "empty", "--dry-run"}).err, Not(HasSubstr(pipe)));
}

class Signals : public Dedup {
 protected:
  /// Starts a run on a pipe that stays open, runs `script` with the run's process id in $pid, and returns the
  /// run's exit code.
  std::string exit_code(const std::string& script) {
    const std::string setup = "cd " + folder_.path().string() +
                              "; mkfifo pipe; " LEITONG_BINARY
                              " dedup - -o kept < pipe 2>err & pid=$!; exec 3>pipe; echo '" +
                              record("a", "text") + "' >&3; sleep .4; " + script + "; wait $pid; echo $?";
    return run_program({"bash", "-c", setup}).out;
  }
};

TEST_F(Signals, TheFirstStopsCleanly) {
  EXPECT_EQ(exit_code("kill -TERM $pid; exec 3>&-"), "3\n");
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("leitong: stopping"));
  EXPECT_THAT(folder_.list(), ElementsAre("err", "in.jsonl", "pipe"));
}

}  // namespace
}  // namespace leitong::test
