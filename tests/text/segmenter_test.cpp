
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "text/jieba_cutter.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;

class SmallCutter : public test::SmallDictionary {
 protected:
  [[nodiscard]] JiebaCutter cutter(std::string_view user = {}) const {
    auto opened = model(user.empty() ? files() : files_with_user(user));
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return JiebaCutter(std::move(*opened));
  }
  static std::vector<std::string> cut(const JiebaCutter& cutter, std::string_view text, bool hmm = true) {
    CutScratch scratch;
    PodVector<std::uint32_t> starts;
    cutter.cut(text, hmm, scratch, starts);
    starts.push_back(static_cast<std::uint32_t>(text.size()));
    std::vector<std::string> words;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      words.emplace_back(text.substr(starts[i], starts[i + 1] - starts[i]));
    return words;
  }
  static std::vector<std::string> texts(std::string_view text, const PodVector<Token>& tokens) {
    std::vector<std::string> words;
    for (const Token& token : tokens) words.emplace_back(text.substr(token.begin, token.end - token.begin));
    return words;
  }
};

TEST_F(SmallCutter, TakesTheLikeliestWordsAndEverySeparator) {
  const JiebaCutter jieba = cutter();
  EXPECT_THAT(cut(jieba, "打雷，回声雷同。"), ElementsAre("打雷", "，", "回声", "雷同", "。"));
  EXPECT_THAT(cut(jieba, "回声定位打雷"), ElementsAre("回声定位", "打雷"));
  EXPECT_THAT(cut(jieba, " \n\t"), ElementsAre(" ", "\n", "\t"));
  EXPECT_THAT(cut(jieba, ""), ElementsAre());
}

TEST_F(SmallCutter, UnknownCharactersAreJoinedByTheModelIfItIsUsed) {
  const JiebaCutter jieba = cutter();
  EXPECT_THAT(cut(jieba, "甲乙打雷"), ElementsAre("甲乙", "打雷"));
  EXPECT_THAT(cut(jieba, "甲乙打雷", false), ElementsAre("甲", "乙", "打雷"));
}

TEST_F(SmallCutter, AsciiIsCutByLettersAndDigitsUnlessAWordHasIt) {
  const JiebaCutter jieba = cutter();
  EXPECT_THAT(cut(jieba, "ab12 3.14x,C++ T恤"),
              ElementsAre("ab12", " ", "3.14", "x", ",", "C++", " ", "T恤"));
  EXPECT_THAT(cut(jieba, "ab1", false), ElementsAre("a", "b", "1"));
}

TEST_F(SmallCutter, CharactersAboveTheFirstPlaneMakeWordsToo) {
  const JiebaCutter jieba = cutter("\xF0\xA0\x80\x80雷 900 n\n🙂 5 n\n");
  EXPECT_THAT(cut(jieba, "打\xF0\xA0\x80\x80雷🙂🌩"), ElementsAre("打", "\xF0\xA0\x80\x80雷", "🙂", "🌩"));
}

TEST_F(SmallCutter, FullFindsAllWordsAndSearchTheShorterOnesInside) {
  const JiebaCutter jieba = cutter();
  CutScratch scratch;
  PodVector<Token> full, search;
  const std::string_view text = "回声定位，雷";
  jieba.cut_full(text, scratch, full);
  EXPECT_THAT(texts(text, full), ElementsAre("回声", "回声定位", "定位", "，", "雷"));
  jieba.cut_for_search(text, true, scratch, search);
  EXPECT_THAT(texts(text, search), ElementsAre("回声", "定位", "回声定位", "，", "雷"));
}

TEST_F(SmallCutter, TagsAreTheDictionarysOrDependOnCharacters) {
  const JiebaCutter jieba = cutter();
  EXPECT_EQ(jieba.tag("雷同"), "v");
  EXPECT_EQ(jieba.tag("1999"), "m");
  EXPECT_EQ(jieba.tag("echo"), "eng");
  EXPECT_EQ(jieba.tag("甲乙"), "x");
}

TEST_F(SmallCutter, LongTextsAreCutLikeShortOnes) {
  const JiebaCutter jieba = cutter();
  std::string text, without;
  std::vector<std::string> expected;
  while (text.size() < 300'000) {
    text += "打雷回声。";
    without += "打雷回声";
    expected.insert(expected.end(), {"打雷", "回声", "。"});
  }
  EXPECT_EQ(cut(jieba, text), expected);
  EXPECT_EQ(cut(jieba, without).size(), expected.size() / 3 * 2);  // one chunk without a separator
}

}  // namespace
}  // namespace leitong
