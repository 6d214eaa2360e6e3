// leitong eval INPUT --methods, and leitong tune.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

std::string name(char kind, int number) { return std::string(1, kind).append(std::to_string(number)); }

/// Twenty texts of random words, each with an edited copy, and ten without one.
class EvalMethods : public ::testing::Test {
 protected:
  EvalMethods() {
    std::string texts, truth;
    for (int i = 0; i < 30; ++i) {
      const auto add = [&](char kind, const std::string& text) {
        texts += Json{{"id", name(kind, i)}, {"text", text}}.dump() + "\n";
        if (i < 20) truth += name(kind, i) + "\t" + std::to_string(i) + "\n";
      };
      std::string text;
      for (int j = 0; j < 60; ++j) text += std::to_string((i * 7919 + j * 104729) % 99991 + 1000) + " ";
      add('t', text);
      if (i < 20) add('c', text.replace(static_cast<std::size_t>(i) * 5, 4, "abcd"));
    }
    corpus_ = folder_.write("corpus.jsonl", texts);
    gold_ = folder_.write("gold.tsv", truth);
  }
  TempFolder folder_;
  std::string corpus_, gold_;
};

TEST_F(EvalMethods, MethodsAreListedTogether) {
  const Outcome outcome =
      leitong({"eval", corpus_, "--gold", gold_, "--methods", "default,minhash,copies", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows["default"]["pairs_f1"], 1.0);
  EXPECT_EQ(rows["minhash"]["b_cubed_f1"], 1.0);
  EXPECT_EQ(rows["copies"]["pairs_recall"], 0.0);
  EXPECT_DOUBLE_EQ(rows["default"]["dedup_rate"], 20.0 / 50);
  EXPECT_NEAR(rows["default"]["dedup_rate_bytes"].get<double>(), .4, .02);
  EXPECT_EQ(rows["default"]["adjusted_rand"], 1.0);
  for (const Json& row : rows) {
    EXPECT_GT(row["documents_per_second"], 0);
    EXPECT_GT(row["peak_memory"], 1 << 20);
  }
}

TEST_F(EvalMethods, ParametersGoToThoseThatHaveThem) {
  const std::vector<std::string> command = {"eval", corpus_, "--gold", gold_, "--methods", "shingle,copies"};
  auto loose = command, unknown = command;
  loose.insert(loose.end(), {"--no-verify", "--json", "--param", "threshold=0.95"});
  const Json rows = Json::parse(leitong(loose).out);
  EXPECT_LT(rows["shingle"]["pairs_recall"], 1.0);
  EXPECT_GT(rows["shingle"]["candidates_per_document"], 0) << "its own pairs, where none is verified";
  unknown.insert(unknown.end(), {"--param", "mu=1"});
  EXPECT_THAT(leitong(unknown).err, HasSubstr("none of the methods has it"));
}

TEST_F(EvalMethods, ExamplesNameWhatIsWrongWithTheirPassage) {
  folder_.write("gold.tsv", "t0\tx\nt25\tx\nt1\ty\nc1\ty\n");
  const Outcome outcome =
      leitong({"eval", corpus_, "--gold", gold_, "--methods", "default", "--examples", "2"});
  EXPECT_THAT(outcome.out, HasSubstr("claimed, and different: t"));
  EXPECT_THAT(outcome.out, HasSubstr("the same, and not found: t0 t25"));
}

TEST_F(EvalMethods, JudgedPairsSayNothingOfClusters) {
  const std::string judged = folder_.write("judged.tsv", "t0\tc0\t1\nt0\tt1\t0\nt1\tt2\t1\n");
  const std::vector<std::string> command = {"eval", corpus_, "--gold", judged, "--methods", "default"};
  const Outcome table = leitong(command);
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("default            1.0000 0.5000 0.6667   0.6667   "));
  EXPECT_THAT(table.out, HasSubstr("F1 accuracy  docs %"));
  EXPECT_THAT(table.out, testing::Not(HasSubstr("ARI")));
  auto json = command;
  json.emplace_back("--json");
  const Json row = Json::parse(leitong(json).out)["default"];
  EXPECT_FALSE(row.contains("b_cubed_f1") || row.contains("adjusted_rand")) << row;
}

TEST_F(EvalMethods, ExamplesOfALargeClusterTakeNoMemoryForAllItsPairs) {
  std::string texts, truth;
  for (int i = 0; i < 20'000; ++i) {
    texts += Json{{"id", name('t', i)}, {"text", std::to_string(i)}}.dump() + "\n";
    truth += name('t', i) + "\tone\n";
  }
  const Outcome outcome =
      leitong({"eval", folder_.write("many.jsonl", texts), "--gold", folder_.write("one.tsv", truth),
               "--methods", "copies", "--examples", "3", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json row = Json::parse(outcome.out)["copies"];
  EXPECT_EQ(row["false_negatives"], 20'000 * 19'999 / 2);
  EXPECT_EQ(row["false_negative_examples"].size(), 3u);
  EXPECT_LT(row["peak_memory"], 200 << 20) << "800 MB would hold the pairs";
}

TEST_F(EvalMethods, WhatTheTruthSaysOfOtherDocumentsIsLeftOutAndCounted) {
  // The truth of a larger corpus: each cluster has a third document that is not in this corpus.
  std::string more = read_file(gold_);
  for (int i = 0; i < 20; ++i) more += name('m', i) + "\t" + std::to_string(i) + "\n";
  const std::string larger = folder_.write("larger.tsv", more);
  const auto figures = [&](const std::string& gold) {
    const Outcome outcome = leitong({"eval", corpus_, "--gold", gold, "--methods", "default", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::pair(Json::parse(outcome.out)["default"], outcome.err);
  };
  const auto [alone, silence] = figures(gold_);
  const auto [among, warning] = figures(larger);
  EXPECT_EQ(among["pairs_recall"], alone["pairs_recall"]);
  EXPECT_EQ(among["b_cubed_f1"], alone["b_cubed_f1"]);
  EXPECT_EQ(among["absent"], 20);
  EXPECT_THAT(warning,
              HasSubstr("larger.tsv names 20 documents that are not in the input; they don't count"));
  EXPECT_THAT(silence, testing::Not(HasSubstr("don't count")));

  const auto tuned = [&](const std::string& gold) {
    return leitong({"tune", corpus_, "--gold", gold, "--method", "shingle"});
  };
  EXPECT_EQ(tuned(larger).out, tuned(gold_).out) << "the choice is the same";
  EXPECT_THAT(tuned(larger).err, HasSubstr("20 documents that are not in the input"));
  const std::string apart = folder_.write("apart.tsv", "t0\t1\nt1\t2\nm1\t1\n");
  const Outcome nothing = tuned(apart);
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("no two documents of the input that belong together"));
}

TEST_F(EvalMethods, OnlyListedDocumentsCount) {
  std::string list;
  for (int i = 0; i < 5; ++i) list += name('t', i) + "\n" + name('c', i) + "\n";
  const std::string ids = folder_.write("ids", list + "nobody\n");
  const Outcome outcome =
      leitong({"eval", corpus_, "--gold", gold_, "--methods", "default,copies", "--ids", ids, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out);
  EXPECT_EQ(rows["default"]["documents"], 10);
  EXPECT_EQ(rows["default"]["claimed_pairs"], 5);
  EXPECT_EQ(rows["default"]["pairs_f1"], 1.0);
  EXPECT_EQ(rows["copies"]["claimed_pairs"], 0);
  EXPECT_THAT(outcome.err, HasSubstr("ids lists 1 id that no document of the input has"));
  const Outcome counted =
      leitong({"eval", corpus_, "--gold", gold_, "--methods", "copies", "--documents", "100"});
  EXPECT_EQ(counted.code, 2);
  EXPECT_THAT(counted.err, HasSubstr("--documents is about results in files"));
}

TEST_F(EvalMethods, ExamplesDoNotActOnTheTerminal) {
  const std::string text =
      "\\u001b[31m the same words again and again, one after the other, until it is long enough";
  const std::string corpus =
      folder_.write("hostile.jsonl", "{\"id\":\"\\u001bA\",\"text\":\"" + text +
                                         "\"}\n{\"id\":\"b\",\"text\":\"" + text + "\"}\n");
  const std::string gold = folder_.write("hostile.tsv", "b\tx\n");
  const Outcome outcome = leitong({"eval", corpus, "--gold", gold, "--methods", "copies", "--examples", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("claimed, and different: \u241BA b"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\x1b")));
}

TEST_F(EvalMethods, InvalidArgumentsAreRefused) {
  EXPECT_EQ(leitong({"eval", corpus_, "--gold", gold_}).code, 2);
  EXPECT_EQ(leitong({"eval", corpus_, "--gold", gold_, "--methods", "simmhash"}).code, 2);
  const std::string other = folder_.write("other.tsv", "x\t1\ny\t1\n");
  EXPECT_THAT(leitong({"eval", corpus_, "--gold", other, "--methods", "copies"}).err,
              HasSubstr("--id-field"));
  const Outcome tuned = leitong({"tune", corpus_, "--gold", other, "--method", "shingle"});
  EXPECT_EQ(tuned.code, 2);
  EXPECT_THAT(tuned.err, HasSubstr("names none of the documents"));
}

TEST_F(EvalMethods, TuningFindsASettingOnOneHalfAndMeasuresItOnTheOther) {
  const std::string curve = folder_ / "curve.tsv";
  const Outcome outcome = leitong({"tune", corpus_, "--gold", gold_, "--method", "simhash", "--param",
                                   "features=chars", "--param", "top=0", "--curve", curve});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("distance="));
  const std::string rows = read_file(curve);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 18) << "a header and 17 distances";
  const Outcome swept =
      leitong({"tune", corpus_, "--gold", gold_, "--method", "shingle", "--sweep", "k=3,5,9"});
  ASSERT_EQ(swept.code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("\n9 "));
  EXPECT_THAT(swept.out, HasSubstr("1.0000"));
}

TEST_F(EvalMethods, TuningCountsEachPairOfIdsOnce) {
  const std::string twice = folder_.write("twice.jsonl", read_file(corpus_) + read_file(corpus_));
  const auto tune = [&](const std::string& corpus) {
    return leitong({"tune", corpus, "--gold", gold_, "--method", "shingle"});
  };
  const Outcome once = tune(corpus_), repeated = tune(twice);
  ASSERT_EQ(repeated.code, 0) << repeated.err;
  EXPECT_EQ(repeated.out, once.out);
  EXPECT_THAT(repeated.err, HasSubstr("50 records have an id that an earlier one has"));
  EXPECT_THAT(once.err, testing::Not(HasSubstr("earlier one")));
}

TEST_F(EvalMethods, AParameterIsGivenSweptOrTuned) {
  const auto refusal = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"tune", corpus_, "--gold", gold_, "--method", "simhash"});
    const Outcome outcome = leitong(more);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--sweep", "distance=1,5"}), HasSubstr("--sweep distance: that is what is tuned"));
  EXPECT_THAT(refusal({"--param", "distance=5"}), HasSubstr("--param distance: that is what is tuned"));
  EXPECT_THAT(refusal({"--sweep", "top=1,2", "--param", "top=3"}), HasSubstr("both about top"));
}

TEST_F(EvalMethods, WithoutTruthPairsAreWrittenForAPersonAndReadAgain) {
  const std::string pairs = folder_ / "pairs.tsv";
  ASSERT_EQ(leitong({"tune", corpus_, "--method", "shingle", "--label", pairs, "--count", "10"}).code, 0);
  std::string labelled = read_file(pairs);
  EXPECT_THAT(labelled, HasSubstr("\t?\n"));
  for (char& c : labelled) c = c == '?' ? '1' : c;
  folder_.write("pairs.tsv", labelled);
  const Outcome outcome = leitong({"tune", corpus_, "--method", "shingle", "--gold", pairs});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(leitong({"tune", corpus_}).code, 2);
}

}  // namespace
}  // namespace leitong::test
