// leitong sign and leitong train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/process.hpp"
#include "text/sample_text.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Json = nlohmann::json;

class Sign : public ::testing::Test {
 protected:
  static std::string record(const std::string& id, const std::string& text) {
    return Json{{"id", id}, {"text", text}}.dump() + "\n";
  }
  TempFolder folder_;
  std::string corpus_ =
      folder_.write("corpus.jsonl", record("a", std::string(kSampleText)) + record("b", "!?") +
                                        record("c", std::string(kSampleText)));
};

TEST_F(Sign, PrintsIdAndHexadecimalDigits) {
  const Outcome outcome =
      leitong({"sign", corpus_, "--method", "simhash", "--param", "features=chars", "--param", "top=0"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("a\t[0-9a-f]{16}\nb\t\nc\t[0-9a-f]{16}\n"));
  EXPECT_EQ(outcome.out.substr(2, 16), outcome.out.substr(outcome.out.size() - 17, 16)) << "equal texts";
  EXPECT_THAT(outcome.err, HasSubstr("1 hold nothing to sign"));
}

TEST_F(Sign, OtherFormats) {
  const std::vector<std::string> chars = {"--param", "features=chars", "--param", "bits=128"};
  std::vector<std::string> command = {"sign", corpus_, "--format", "jsonl"};
  command.insert(command.end(), chars.begin(), chars.end());
  const std::string lines = leitong(command).out;
  const Json first = Json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(first["id"], "a");
  EXPECT_EQ(first["signature"].get<std::string>().size(), 32u);
  EXPECT_THAT(lines, HasSubstr("{\"id\":\"b\",\"signature\":null}"));
  command[3] = "raw";
  const Outcome raw = leitong(command);
  EXPECT_EQ(raw.out.size(), 32u) << "two signatures of two words";
  EXPECT_THAT(raw.err, HasSubstr("left out of raw output"));
}

TEST_F(Sign, ThreadsChangeNoByte) {
  std::string text;
  for (int i = 0; i < 1500; ++i)
    text += record(std::to_string(i), std::string(kSampleText) + std::to_string(i * 7919));
  const std::string corpus = folder_.write("many.jsonl", text);
  const std::string one = leitong({"sign", corpus, "--method", "minhash", "--threads", "1"}).out;
  EXPECT_EQ(leitong({"sign", corpus, "--method", "minhash", "--threads", "4"}).out, one);
  EXPECT_GT(one.size(), 1500u * 512);
}

TEST_F(Sign, MethodsThatCompareTextsAreNoSigners) {
  const Outcome outcome = leitong({"sign", corpus_, "--method", "edit"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(leitong({"sign", corpus_, "--method", "simhash", "--param", "bands=3"}).err,
              HasSubstr("has no such parameter"));
}

// The signatures of one text, frozen: other values don't compare with what users have stored.
TEST_F(Sign, SignaturesOfEveryCharacterMethodAreFrozen) {
  const std::string corpus = folder_.write("one.jsonl", record("a", std::string(kSampleText)));
  const auto sign = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"sign", corpus, "--method"});
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(2, 32);
  };
  for (const char* simd : {"scalar", "avx2", "avx512"}) {
    setenv("LEITONG_SIMD", simd, 1);
    EXPECT_EQ(sign({"simhash", "--param", "features=chars", "--param", "bits=128", "--param", "top=0"}),
              "cfd39688af69bdfb7126b1be81b35978");
    EXPECT_EQ(sign({"minhash"}), "edfab961757972158bb7063d03a4cc85");
    EXPECT_EQ(sign({"minhash", "--param", "scheme=permutations"}), "74a128e230a99b8b18d539ce376503cd");
    EXPECT_EQ(sign({"minhash", "--param", "scheme=one-permutation"}), "e34a30c19d6f049d363aaeb479e580a6");
    EXPECT_EQ(sign({"shingle"}), "000000000119e79c0000000001ad20c6");
    EXPECT_EQ(sign({"exact"}), "5eec0f835e4bcd06182487c765c8115d");
  }
  unsetenv("LEITONG_SIMD");
}

class Train : public Sign {
 protected:
  void SetUp() override {
    if (leitong({"sign", corpus_}).code != 0) GTEST_SKIP() << "no dictionary; ./dev setup fetches one";
  }
};

TEST_F(Train, MakesTheModelThatOtherMethodsAskFor) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += record(std::to_string(i), std::string(kSampleText) + " thunder echo " +
                                          std::string(i % 5 + 1, 'x') + " " + std::to_string(i));
  const std::string corpus = folder_.write("texts.jsonl", text), model = folder_ / "terms.model";
  const Outcome without = leitong({"sign", corpus, "--method", "e-simhash"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("leitong train"));

  const Outcome trained = leitong({"train", corpus, "-o", model});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("of 30 documents"));
  EXPECT_NE(leitong({"train", corpus, "-o", model}).code, 0) << "nothing is replaced unasked";
  ASSERT_EQ(leitong({"train", corpus, "-o", folder_ / "again", "--threads", "4"}).code, 0);
  EXPECT_EQ(read_file(model), read_file(folder_ / "again"));
  for (const std::string method :
       {"e-simhash", "e-simhash-literal", "p-simhash", "p-simhash-literal", "i-match", "simhash"}) {
    const Outcome outcome = leitong({"sign", corpus, "--method", method, "--param", "model=" + model});
    EXPECT_EQ(outcome.code, 0) << method << ": " << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("29\t")) << method;
  }
}

}  // namespace
}  // namespace leitong::test
