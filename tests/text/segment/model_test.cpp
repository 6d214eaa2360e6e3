#include "text/segment/model.hpp"

#include <gmock/gmock.h>

#include <string>

#include "text/random_text.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

using testing::HasSubstr;

class Model : public test::SmallDictionary {
 protected:
  /// The message of a dictionary that is refused.
  std::string refusal(const JiebaFiles& from) const {
    const auto opened = model(from);
    return opened ? "accepted" : opened.error().message;
  }
  std::string refusal_of(const std::string& name, std::string_view content) const {
    write(name, content);
    return refusal(files());
  }
};

TEST_F(Model, WordsHaveIdsAndWhatIsKnownOfThem) {
  const auto opened = model(files());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const SegmentModel& words = **opened;
  ASSERT_TRUE(words.verify().has_value());
  EXPECT_EQ(words.counts().dictionary_words, 10u);
  EXPECT_EQ(words.counts().longest_word, 4u);
  for (const std::string_view word : {"雷同", "回声定位", "雷", "C++", "T恤", "词外", "echo", "the"}) {
    const std::uint32_t id = words.find(word);
    ASSERT_NE(id, kNoWord) << word;
    EXPECT_EQ(words.text(id), word);
  }
  for (const std::string_view word : {"回声定", "定", "雷雷", "C+", "", "xyz", "雷同雷同"})
    EXPECT_TRUE(words.find(word) == kNoWord || !(words.flags(words.find(word)) & kInDictionary)) << word;
  EXPECT_EQ(words.rank(words.find("回声")).idf, 7);
  EXPECT_EQ(words.rank(words.find("定位")).idf, kNoIdf);
  EXPECT_EQ(words.numbers().mean_idf, (5.0 + 7 + 3 + 2) / 4);
  EXPECT_EQ(words.numbers().median_idf, 5);
  EXPECT_EQ(words.rank(words.find("同一")).idf, 0);
  EXPECT_EQ(words.tag(words.find("雷同")), "v");
  EXPECT_EQ(words.tag(words.find("词外")), "");
  EXPECT_TRUE(words.flags(words.find("the")) & kStopWord);
  EXPECT_EQ(words.term(words.find("回声")).idf, 7);
  EXPECT_EQ(words.term(words.find("定位")).idf, 5);  // the median
  for (const std::string_view word : {"同一", "the", "雷"})
    EXPECT_EQ(words.term(words.find(word)).idf, 0) << word;
}

TEST_F(Model, UserWordsOverrideAndGetTheMedianWeight) {
  const auto opened = model(files_with_user("雷同 7 nz\n新词\n雷声 i\n\xF0\xA0\x80\x80\xE9\x9B\xB7 3 x\n"));
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const SegmentModel& words = **opened;
  EXPECT_EQ(words.tag(words.find("雷同")), "nz");
  EXPECT_EQ(words.tag(words.find("雷声")), "i");
  EXPECT_EQ(words.tag(words.find("新词")), "");
  EXPECT_TRUE(words.flags(words.find("新词")) & kInDictionary);
  EXPECT_NE(words.find("\xF0\xA0\x80\x80\xE9\x9B\xB7"), kNoWord);  // a character above U+FFFF
}

TEST_F(Model, WhatCantBeReadIsNamedByFileAndLine) {
  EXPECT_THAT(refusal_of("words", "雷同 9 v\n同一 m\n"), HasSubstr("words:2"));
  EXPECT_THAT(refusal_of("words", "雷同 many v\n"), HasSubstr("words:1: the frequency"));
  EXPECT_THAT(refusal_of("words", "雷同 0 v\n"), HasSubstr("words:1: the frequency"));
  EXPECT_THAT(refusal_of("words", "雷\xE5 9 v\n"), HasSubstr("words:1: is not UTF-8"));
  EXPECT_THAT(refusal_of("words", ""), HasSubstr("words: there are no words"));
  write("words", test::kWords);
  EXPECT_THAT(refusal_of("model", test::kMarkov.substr(0, 120)), HasSubstr("model:"));
  EXPECT_THAT(
      refusal_of(
          "model",
          "-1 -3.14e+100 -3.14e+100 -1\n-1 -1 -1 -1\n-1 -1 -1 -1\n-1 -1 -1 -1\n-1 -1 -1 -1\n甲:-1\n乙:-1\n"
          "丙:-1\n丁:-1\n"),
      HasSubstr("can't be followed"));
  write("model", test::kMarkov);
  EXPECT_THAT(refusal_of("idf", "good 1.5\nbroken\n"), HasSubstr("idf:2"));
  EXPECT_THAT(refusal_of("idf", "good -1\n"), HasSubstr("idf:1"));
  write("idf", test::kIdf);
  EXPECT_THAT(refusal(files_with_user("新词 0 n\n")), HasSubstr("user:1: the frequency"));
  EXPECT_THAT(refusal(files_with_user("\n新 词 5 n\n")), HasSubstr("user:2: a line is"));
  std::string long_word;
  for (std::uint32_t i = 0; i <= kMaxWordLength; ++i) long_word += "雷";
  EXPECT_THAT(refusal(files_with_user(long_word)), HasSubstr("user:1: the word has 256 characters"));
  EXPECT_EQ(refusal(files_with_user(long_word.substr(3))), "accepted");
  const auto missing = model({folder_ / "none", {}, {}, {}, {}});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST_F(Model, ADictionaryBeyondItsLimitsIsRefused) {
  std::string characters, frequencies;
  for (char32_t point = 0x4E00; point < 0x4E00 + kMaxSymbols; ++point) {
    append_utf8(point, characters);
    characters += "\n";
  }
  EXPECT_THAT(refusal(files_with_user(characters)), HasSubstr("different characters"));
  for (std::uint32_t i = 1; i <= kMaxWeights; ++i) {
    append_utf8(0x4E00 + i / 100, frequencies);
    append_utf8(0x4E00 + i % 100, frequencies);
    frequencies += " " + std::to_string(i) + " n\n";
  }
  EXPECT_THAT(refusal(files_with_user(frequencies)), HasSubstr("different frequencies"));
}

TEST_F(Model, WordsWithSeparatorsAreMentioned) {
  const auto opened = model(files_with_user("雷\xEF\xBC\x8C同 5 n\n"));
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_THAT((*opened)->about(), HasSubstr("unreachable: 1 words"));
}

TEST_F(Model, TheSameDictionaryGivesTheSameBytes) {
  ASSERT_TRUE(compile(files(), folder_ / "a").has_value());
  ASSERT_TRUE(compile(files(), folder_ / "b").has_value());
  const auto bytes = [](const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(bytes(folder_ / "a"), bytes(folder_ / "b"));
}

TEST_F(Model, DamageIsFoundWhereverItIs) {
  ASSERT_TRUE(compile(files(), folder_ / "whole").has_value());
  std::ifstream file(folder_ / "whole", std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  for (std::size_t place = 7; place < whole.size(); place += 9973) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x40);
    const auto opened = SegmentModel::open(write("damaged", damaged));
    EXPECT_FALSE(opened && (*opened)->verify()) << place;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, whole.size() / 2, whole.size() - 1})
    EXPECT_FALSE(SegmentModel::open(write("short", whole.substr(0, size))).has_value()) << size;
}

}  // namespace
}  // namespace leitong
