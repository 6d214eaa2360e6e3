// Words of the user that hold spaces.
#include "text/phrases.hpp"

#include <gmock/gmock.h>

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The tokens of a text that is cut at the bars, after joining.
std::vector<std::string> joined(std::string_view phrases, std::string_view cut) {
  std::string text;
  PodVector<std::uint32_t> starts;
  starts.push_back(0);
  for (const char c : cut) {
    if (c == '|')
      starts.push_back(static_cast<std::uint32_t>(text.size()));
    else
      text += c;
  }
  const auto read = Phrases::parse(phrases, "terms");
  EXPECT_TRUE(read.has_value()) << read.error().message;
  read->join(text, starts);
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : text.size();
    tokens.push_back(text.substr(starts[i], end - starts[i]));
  }
  return tokens;
}

TEST(Phrases, AreOneTokenWhereTheyBeginAndEndWithTokens) {
  EXPECT_THAT(joined("New York\n", "in| |New| |York|,|New| |Yorker"),
              ElementsAre("in", " ", "New York", ",", "New", " ", "Yorker"));
  EXPECT_THAT(joined("\xe5\x8c\x97\xe4\xba\xac \xe5\xa4\xa7\xe5\xad\xa6\tnt\r\n",
                     "\xe5\x8c\x97\xe4\xba\xac| |\xe5\xa4\xa7\xe5\xad\xa6"),
              ElementsAre("\xe5\x8c\x97\xe4\xba\xac \xe5\xa4\xa7\xe5\xad\xa6"));
}

TEST(Phrases, TheLongestCountsAndOfThoseThatOverlapTheFirst) {
  EXPECT_THAT(joined("a b\na b c\nb c d\n", "a| |b| |c| |d"), ElementsAre("a b c", " ", "d"));
  EXPECT_THAT(joined("a b\na b c\nb c d\n", "a| |b| |cc| |b| |c| |d"),
              ElementsAre("a b", " ", "cc", " ", "b c d"));
}

TEST(Phrases, HaveTagsAndMayBeNone) {
  const auto phrases = Phrases::parse("\xef\xbb\xbf\nNew York\tns\n  two words  \n", "terms");
  ASSERT_TRUE(phrases.has_value());
  EXPECT_EQ(phrases->tag("New York"), "ns");
  EXPECT_EQ(phrases->tag("two words"), "");
  EXPECT_EQ(phrases->tag("other"), "");
  EXPECT_TRUE(Phrases::parse("\n \n", "terms")->empty());
  EXPECT_THAT(joined("\n", "a| |b"), ElementsAre("a", " ", "b"));
}

TEST(Phrases, FaultsAreNamedWithTheirLine) {
  EXPECT_THAT(Phrases::parse("a b\n\xff\n", "terms").error().message, HasSubstr("terms:2: invalid UTF-8"));
  EXPECT_THAT(Phrases::parse("\tn\n", "terms").error().message, HasSubstr("terms:1: there is no phrase"));
}

}  // namespace
}  // namespace leitong
