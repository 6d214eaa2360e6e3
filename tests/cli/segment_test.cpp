// leitong segment, keywords and dict, with a dictionary of a few words.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/process.hpp"
#include "feature/term_hash.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Segment : public testing::Test {
 protected:
  Segment() {
    folder_.write("words", "雷同 9 v\n打雷 9 v\n回声 9 n\n回声定位 4 n\n定位 8 v\n");
    folder_.write("markov",
                  "-0.2 -3.14e+100 -3.14e+100 -1.4\n-3.14e+100 -0.5 -0.9 -3.14e+100\n"
                  "-0.5 -3.14e+100 -3.14e+100 -0.8\n-3.14e+100 -0.3 -1.2 -3.14e+100\n"
                  "-0.7 -3.14e+100 -3.14e+100 -0.6\n甲:-1\n乙:-1\n丙:-9\n丁:-1\n");
    folder_.write("idf", "雷同 5\n回声 7\n");
    folder_.write("stop", "打雷\n");
    const Outcome built = build({});
    EXPECT_EQ(built.code, 0) << built.err;
  }
  Outcome build(std::vector<std::string> more, const std::string& to = "model") {
    std::vector<std::string> arguments = {
        "dict",  "build",         "--words",      folder_ / "words", "--markov", folder_ / "markov",
        "--idf", folder_ / "idf", "--stop-words", folder_ / "stop",  "-o",       folder_ / to};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return leitong(arguments);
  }
  /// The output of a command with the model.
  std::string out(std::vector<std::string> arguments, std::string_view input) {
    arguments.insert(arguments.end(), {"--model", folder_ / "model"});
    const Outcome outcome = leitong(arguments, input);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    return outcome.out;
  }

  TempFolder folder_;
};

TEST_F(Segment, OneLineInIsOneLineOut) {
  EXPECT_EQ(out({"segment"}, "打雷，回声 雷同\n\n甲乙 x"), "打雷 ， 回声 雷同\n\n甲乙 x\n");
  EXPECT_EQ(out({"segment", "--no-hmm", "--separator", "/"}, "甲乙打雷\n"), "甲/乙/打雷\n");
  EXPECT_EQ(out({"segment"}, ""), "");
}

TEST_F(Segment, ModesTagsAndJson) {
  EXPECT_EQ(out({"segment", "--mode", "full"}, "回声定位\n"), "回声 回声定位 定位\n");
  EXPECT_EQ(out({"segment", "--mode", "search", "--tags"}, "回声定位 12\n"),
            "回声/n 定位/v 回声定位/n 12/m\n");
  EXPECT_EQ(
      out({"segment", "--json", "--tags"}, "打雷 \"\n\n"),
      "{\"words\":[\"打雷\",\" \",\"\\\"\"],\"tags\":[\"v\",\"x\",\"x\"]}\n{\"words\":[],\"tags\":[]}\n");
  EXPECT_EQ(out({"segment", "--json"}, "打雷\n"), "{\"words\":[\"打雷\"]}\n");
}

TEST_F(Segment, PhrasesAreOneWordEach) {
  folder_.write("terms", "回声 雷同\tnz\nxy 12\n");
  EXPECT_EQ(
      out({"segment", "--separator", "/", "--phrases", folder_ / "terms"}, "打雷，回声 雷同\nxy 12 xy\n"),
      "打雷/，/回声 雷同\nxy 12/xy\n");
  EXPECT_EQ(out({"segment", "--json", "--tags", "--phrases", folder_ / "terms"}, "回声 雷同 xy 12\n"),
            "{\"words\":[\"回声 雷同\",\" \",\"xy 12\"],\"tags\":[\"nz\",\"x\",\"eng\"]}\n");
  EXPECT_THAT(out({"keywords", "--json", "--phrases", folder_ / "terms"}, "回声 雷同 回声 雷同\n"),
              testing::HasSubstr("[{\"word\":\"回声 雷同\""));
  EXPECT_EQ(leitong({"segment", "--mode", "full", "--phrases", folder_ / "terms"}, "x").code, 2);
  EXPECT_NE(leitong({"segment", "--phrases", folder_ / "none"}, "x").code, 0);
}

TEST_F(Segment, OtherScriptsAreCutLetterByLetterAsByJiebaOrByTheirOwnRules) {
  const std::string text = "打雷 гром гремит。ฟ้าร้อง\n";
  EXPECT_EQ(out({"segment"}, text), "打雷 г р о м г р е м и т 。 ฟ ้ า ร ้ อ ง\n");
  EXPECT_EQ(out({"segment", "--all-scripts"}, text), "打雷 гром гремит 。 ฟ้าร้อง\n");
  EXPECT_EQ(out({"keywords"}, text), "\n");  // 打雷 is a stop word here
  EXPECT_EQ(out({"keywords", "--all-scripts", "-n", "2"}, "гром гром 雷同\n"), "гром 雷同\n");
  const Outcome refused =
      leitong({"segment", "--all-scripts", "--mode", "full", "--model", folder_ / "model"}, text);
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("--mode mix"));
}

TEST_F(Segment, FilesAndThreadsGiveTheSame) {
  std::string text, expected;
  for (int i = 0; i < 100'000; ++i) {
    text += "打雷回声，甲乙" + std::to_string(i) + "\n";
    expected += "打雷 回声 ， 甲乙 " + std::to_string(i) + "\n";
  }
  const std::string path = folder_.write("text", text);
  EXPECT_EQ(out({"segment", path}, ""), expected);
  EXPECT_EQ(out({"segment", "--threads", "3"}, text), expected);
}

TEST_F(Segment, WhatIsNotUtf8IsReplacedAndReportedOrRefused) {
  const std::string text = "打雷\n\xFF打雷\n\xE6\x89\n";
  const Outcome replaced = leitong({"segment", "--model", folder_ / "model"}, text);
  EXPECT_EQ(replaced.code, 0);
  EXPECT_EQ(replaced.out, "打雷\n\uFFFD 打雷\n\uFFFD\n");
  EXPECT_THAT(replaced.err, HasSubstr("2 lines were not UTF-8 (the first: -:2)"));
  const Outcome refused = leitong({"segment", "--strict", "--model", folder_ / "model"}, text);
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("-:2: is not UTF-8"));
}

TEST_F(Segment, FeaturesAreWordsWithTheirWeightAndHash) {
  const auto hash = [](std::string_view word) {
    return fmt::format("{:016x}", term_hash(TermHash::xxh3, word));
  };
  EXPECT_EQ(out({"segment", "--features"}, "回声打雷，回声雷同\n\n!\n"),
            "回声:14:" + hash("回声") + " 雷同:5:" + hash("雷同") + "\n\n\n");
  EXPECT_EQ(out({"segment", "--features", "--json", "--param", "top=1", "--param", "weights=constant"},
                "雷同 雷同\n"),
            "{\"words\":[\"雷同\",\" \",\"雷同\"],\"features\":[{\"word\":\"雷同\",\"weight\":1,\"hash\":\"" +
                hash("雷同") + "\"}]}\n");
  const std::vector<std::vector<std::string>> refused = {
      {"--param", "top=1"}, {"--features", "--tags"}, {"--features", "--param", "features=chars"}};
  for (std::vector<std::string> arguments : refused) {
    arguments.insert(arguments.begin(), "segment");
    EXPECT_EQ(leitong(arguments, "雷同").code, 2) << ::testing::PrintToString(arguments);
  }
}

TEST_F(Segment, KeywordsOfLinesAndOfFiles) {
  EXPECT_EQ(out({"keywords", "--weights"}, "回声打雷，回声雷同\n甲乙\n\n"), "回声:14 雷同:5\n甲乙:6\n\n");
  EXPECT_EQ(out({"keywords", "-n", "1"}, "回声打雷，回声雷同\n"), "回声\n");
  EXPECT_EQ(out({"keywords", "--json"}, "雷同\n"), "{\"keywords\":[{\"word\":\"雷同\",\"weight\":5}]}\n");
  const std::string path = folder_.write("text", "回声\n雷同\n回声\n");
  EXPECT_EQ(out({"keywords", "--whole", "--weights", path}, ""), "回声:14 雷同:5\n");
}

TEST_F(Segment, DictSaysWhatAModelHolds) {
  const std::string user = folder_.write("user", "声音 5 n\n");
  ASSERT_EQ(build({"--user-dict", user}, "mine").code, 0);
  const Outcome info = leitong({"dict", "info", folder_ / "mine"});
  EXPECT_EQ(info.code, 0);
  EXPECT_THAT(info.out, HasSubstr("6 words in the dictionary"));
  EXPECT_THAT(info.out, HasSubstr("user words: user, 11 bytes"));
  EXPECT_NE(build({}).code, 0) << "an output that exists is replaced only if asked";
  EXPECT_EQ(build({"--force"}).code, 0);
  const Outcome wrong = leitong({"dict", "info", user});
  EXPECT_NE(wrong.code, 0);
  EXPECT_THAT(wrong.err, HasSubstr(user));
  folder_.write("words", "雷同 v\n");
  EXPECT_THAT(build({"--force"}).err, HasSubstr("words:1: a line is"));
}

// A shell's <(..) gives such a pipe.
TEST_F(Segment, AUserDictionaryMayBeAPipe) {
  for (const auto& [from, to] : {std::pair{"words", "jieba.dict.utf8"},
                                 {"markov", "hmm_model.utf8"},
                                 {"idf", "idf.utf8"},
                                 {"stop", "stop_words.utf8"}})
    folder_.write(std::string("data/dict/") + to, read_file(folder_ / from));
  const auto with_pipe = [&](const std::string& arguments) {
    return run_program(
        {"bash", "-c", fmt::format("{} {} --user-dict <(echo 雷同打雷)", LEITONG_BINARY, arguments)},
        "雷同打雷\n", {"LEITONG_DATA=" + (folder_ / "data"), "XDG_CACHE_HOME=" + (folder_ / "cache")});
  };
  const Outcome cut = with_pipe("segment");
  EXPECT_EQ(cut.out, "雷同打雷\n") << cut.err;
  const Outcome built = with_pipe("dict build -o " + (folder_ / "piped"));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(leitong({"segment", "--model", folder_ / "piped"}, "雷同打雷\n").out, "雷同打雷\n");
}

}  // namespace
}  // namespace leitong::test
