#include "text/segmenter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kWords = "雷同 9 v\n同一 5 m\n打雷 9 v\n回声 9 n\n";
constexpr std::string_view kModel =
    "#start\n-0.2 -3.14e+100 -3.14e+100 -1.4\n"
    "-3.14e+100 -0.5 -0.9 -3.14e+100\n-0.5 -3.14e+100 -3.14e+100 -0.8\n"
    "-3.14e+100 -0.3 -1.2 -3.14e+100\n-0.7 -3.14e+100 -3.14e+100 -0.6\n"
    "甲:-1\n乙:-1\n丙:-9\n丁:-1\n";

class JiebaSegmenter : public testing::Test {
 protected:
  JiebaSegmenter() { std::filesystem::create_directories(folder_); }
  ~JiebaSegmenter() override { std::filesystem::remove_all(folder_); }

  Result<std::unique_ptr<const Segmenter>> open(std::string_view words, std::string_view model) const {
    std::ofstream(folder_ / "words") << words;
    std::ofstream(folder_ / "model") << model;
    return open_jieba_segmenter({folder_ / "words", folder_ / "model"});
  }
  static std::vector<std::string> cut(const Segmenter& segmenter, std::string_view text) {
    std::vector<std::string> words;
    segmenter.segment(text, [&](std::string_view word) { words.emplace_back(word); });
    return words;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("leitong_segmenter_" + std::to_string(getpid()));
};

/// Binds `name` to an open segmenter, or skips the test in a build without cppjieba.
#define OPEN_OR_SKIP(name)                                                                        \
  const auto name = open(kWords, kModel);                                                         \
  if (!name && name.error().code == ErrorCode::unsupported) GTEST_SKIP() << name.error().message; \
  ASSERT_TRUE(name.has_value()) << name.error().message

TEST_F(JiebaSegmenter, CutsByDictionaryAndModel) {
  OPEN_OR_SKIP(segmenter);
  EXPECT_THAT(cut(**segmenter, "打雷，回声雷同。ab12 甲乙"),
              ElementsAre("打雷", "回声", "雷同", "ab12", "甲乙"));
  EXPECT_THAT(cut(**segmenter, ""), ElementsAre());
  EXPECT_THAT(cut(**segmenter, " \n\t。，"), ElementsAre());
}

TEST_F(JiebaSegmenter, WordsArePartsOfTheTextInOrder) {
  OPEN_OR_SKIP(segmenter);
  const std::string text = "回声 echo\r\n雷同！\xF0\x9F\x98\x80 打雷 3.14 x";
  std::size_t last = 0;
  (*segmenter)->segment(text, [&](std::string_view word) {
    const auto at = static_cast<std::size_t>(word.data() - text.data());
    EXPECT_GE(at, last);
    EXPECT_LE(at + word.size(), text.size());
    last = at + word.size();
  });
  EXPECT_EQ(last, text.size());
}

TEST_F(JiebaSegmenter, LongTextsAreCutLikeShortOnes) {
  OPEN_OR_SKIP(segmenter);
  std::string text;
  std::vector<std::string> expected;
  while (text.size() < 300'000) {
    text += "打雷回声。";
    expected.insert(expected.end(), {"打雷", "回声"});
  }
  EXPECT_EQ(cut(**segmenter, text), expected);
}

TEST_F(JiebaSegmenter, ALongTextWithoutSeparatorsIsCutBetweenCharacters) {
  OPEN_OR_SKIP(segmenter);
  std::string text;
  while (text.size() < 200'000) text += "回声";
  std::string joined;
  for (const std::string& word : cut(**segmenter, text)) joined += word;
  EXPECT_EQ(joined, text);
}

TEST_F(JiebaSegmenter, FilesThatCantBeUsedAreNamed) {
  OPEN_OR_SKIP(good);
  const auto no_frequency = open("雷同 9 v\n同一 m\n", kModel);
  ASSERT_FALSE(no_frequency.has_value());
  EXPECT_THAT(no_frequency.error().message, HasSubstr("words:2"));
  EXPECT_FALSE(open("雷同 many v\n", kModel).has_value());
  EXPECT_FALSE(open("", kModel).has_value());
  const auto cut_short = open(kWords, kModel.substr(0, 120));
  ASSERT_FALSE(cut_short.has_value());
  EXPECT_EQ(cut_short.error().code, ErrorCode::corrupt);
  const auto missing = open_jieba_segmenter({folder_ / "none", folder_ / "none"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace leitong
