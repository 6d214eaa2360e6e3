#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

class Eval : public ::testing::Test {
 protected:
  // The example that the test of the metrics computes by hand.
  TempFolder folder_;
  std::string gold_ = folder_.write("gold.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\n");
  std::string result_ = folder_.write("result.tsv", "a\t1\nb\t1\nc\t2\nd\t2\ne\t2\nf\t3\n");
  std::string pairs_ =
      folder_.write("pairs.tsv", "id_a\tid_b\tmeasure\tscore\na\tb\tjaccard\t.5\nd\tc\tjaccard\t.5\n");
};

TEST_F(Eval, ClustersAreMeasuredAgainstClusters) {
  const Outcome outcome = leitong({"eval", "--gold", gold_, "--clusters", result_, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["documents"], 6);
  EXPECT_EQ(json["gold_pairs"], 4);
  EXPECT_EQ(json["true_pairs"], 2);
  EXPECT_DOUBLE_EQ(json["pairs_f1"], .5);
  EXPECT_DOUBLE_EQ(json["b_cubed_recall"], 14.0 / 18);
  EXPECT_DOUBLE_EQ(json["adjusted_rand"], 14.0 / 44);
}

TEST_F(Eval, TheTableSaysTheSame) {
  const Outcome outcome = leitong({"eval", "--gold", gold_, "--clusters", result_});
  EXPECT_THAT(outcome.out, HasSubstr("pairs_precision          0.5000\n"));
  EXPECT_THAT(outcome.out, HasSubstr("b_cubed_f1               0.7778\n"));
}

TEST_F(Eval, MoreDocumentsThanTheFilesNameAreAllAlone) {
  const Json json = Json::parse(
      leitong({"eval", "--gold", gold_, "--clusters", result_, "--documents", "106", "--json"}).out);
  EXPECT_EQ(json["documents"], 106);
  EXPECT_EQ(json["clusters"], 103);
  EXPECT_DOUBLE_EQ(json["pairs_f1"], .5) << "pairs don't change";
  EXPECT_GT(json["b_cubed_f1"], .98);
  const Outcome few = leitong({"eval", "--gold", gold_, "--clusters", result_, "--documents", "3"});
  EXPECT_EQ(few.code, 2);
  EXPECT_THAT(few.err, HasSubstr("the files name 6 documents"));
}

TEST_F(Eval, OnlyListedIdsCountAndTheOthersAreCounted) {
  const std::string ids = folder_.write("ids", "a\nb\nd\n");
  const Outcome outcome = leitong({"eval", "--gold", gold_, "--clusters", result_, "--ids", ids, "--json"});
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["documents"], 3);
  EXPECT_EQ(json["gold_pairs"], 1);
  EXPECT_EQ(json["claimed_pairs"], 1);
  EXPECT_THAT(outcome.err, HasSubstr("2 rows of the gold file name documents that aren't in --ids"));
  EXPECT_THAT(outcome.err, HasSubstr("3 rows of the result"));
}

TEST_F(Eval, PairsAreMeasuredAgainstClusters) {
  const Json json = Json::parse(leitong({"eval", "--gold", gold_, "--pairs", pairs_, "--json"}).out);
  EXPECT_EQ(json["claimed_pairs"], 2);
  EXPECT_DOUBLE_EQ(json["pairs_precision"], .5);
  EXPECT_DOUBLE_EQ(json["pairs_recall"], .25);
}

TEST_F(Eval, JudgedPairsAreRecognisedByTheirColumns) {
  const std::string judged = folder_.write("judged.tsv", "a\tb\t1\nc\td\t0\ne\tf\t0\na\te\t1\n");
  for (const std::vector<std::string>& result :
       {std::vector<std::string>{"--pairs", pairs_}, {"--clusters", result_}}) {
    std::vector<std::string> arguments = {"eval", "--gold", judged, "--json"};
    arguments.insert(arguments.end(), result.begin(), result.end());
    const Json json = Json::parse(leitong(arguments).out);
    EXPECT_EQ(json["judged_same"], 2);
    EXPECT_EQ(json["claimed_same"], 1);
    EXPECT_EQ(json["claimed_different"], 1);
    EXPECT_DOUBLE_EQ(json["accuracy"], .5);
  }
}

TEST_F(Eval, AResultMayComeThroughAPipe) {
  const Outcome outcome = leitong({"eval", "--gold", gold_, "--clusters", "-", "--json"}, read_file(result_));
  EXPECT_EQ(outcome.out, leitong({"eval", "--gold", gold_, "--clusters", result_, "--json"}).out);
}

TEST_F(Eval, InvalidArgumentsAreRefused) {
  EXPECT_EQ(leitong({"eval", "--gold", gold_}).code, 2);
  EXPECT_EQ(leitong({"eval", "--gold", gold_, "--pairs", pairs_, "--clusters", result_}).code, 2);
  EXPECT_EQ(leitong({"eval", "--clusters", result_}).code, 2);
  EXPECT_EQ(leitong({"eval", "--gold", gold_, "--clusters", result_, "--documents", "many"}).code, 2);
  const Outcome missing = leitong({"eval", "--gold", gold_, "--pairs", folder_ / "none.tsv"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, StartsWith("leitong: " + (folder_ / "none.tsv")));
  const Outcome broken =
      leitong({"eval", "--gold", gold_, "--clusters", folder_.write("broken.tsv", "a\t1\nb\n")});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.err, HasSubstr("broken.tsv:2: "));
  EXPECT_THAT(broken.out, IsEmpty());
}

}  // namespace
}  // namespace leitong::test
