#include "report/excerpt.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace leitong {
namespace {

std::string joined(const std::vector<ExcerptPart>& parts) {
  std::string out;
  for (const ExcerptPart& part : parts)
    out += part.skipped > 0 ? fmt::format("[{}]", part.skipped)
                            : fmt::format("({}:{})", part.passage, part.text);
  return out;
}

std::size_t covered(const std::vector<ExcerptPart>& parts) {
  std::size_t bytes = 0;
  for (const ExcerptPart& part : parts) bytes += part.skipped + part.text.size();
  return bytes;
}

TEST(Excerpt, CutsAShortTextAtItsMarks) {
  EXPECT_EQ(joined(excerpt("one two three", {{4, 7, 1}}, {100})), "(0:one )(1:two)(0: three)");
  EXPECT_EQ(joined(excerpt("one two", {{0, 7, 2}}, {100})), "(2:one two)");
  EXPECT_EQ(joined(excerpt("one", {}, {100})), "(0:one)");
  EXPECT_EQ(joined(excerpt("", {}, {100})), "");
}

TEST(Excerpt, TakesMarksInAnyOrderAndTheEarlierOfOverlappingOnes) {
  EXPECT_EQ(joined(excerpt("abcdef", {{3, 5, 2}, {1, 4, 1}}, {100})), "(0:a)(1:bcd)(2:e)(0:f)");
}

TEST(Excerpt, IgnoresWhatLiesOutsideTheText) {
  EXPECT_EQ(joined(excerpt("abc", {{2, 90, 1}, {50, 60, 2}, {2, 1, 3}}, {100})), "(0:ab)(1:c)");
}

TEST(Excerpt, LeavesOutTheMiddleOfLongRuns) {
  const std::string text(5000, 'x');
  EXPECT_EQ(joined(excerpt(text, {}, {9000})), fmt::format("(0:{0:x<360})[4280](0:{0:x<360})", ""));
}

TEST(Excerpt, CountsEveryByteItLeavesOut) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const std::size_t characters = random() % 4000;
    for (std::size_t i = 0; i < characters; ++i) text += random() % 3 == 0 ? "雷" : "e";
    std::vector<MarkedRange> marks;
    for (std::uint32_t n = 1; n < 8; ++n) {
      const std::size_t begin = random() % (text.size() + 1);
      marks.push_back({begin, begin + random() % 2000, n});
    }
    const std::size_t most = random() % 6000;
    const auto parts = excerpt(text, marks, {most});
    std::size_t shown = 0;
    for (const ExcerptPart& part : parts) shown += part.text.size();
    EXPECT_EQ(covered(parts), text.size());
    EXPECT_LE(shown, most);
  }
}

TEST(Excerpt, NeverSplitsACharacterByItself) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "雷同";
  for (std::size_t most = 1; most < 1500; most += 7) {
    for (const ExcerptPart& part : excerpt(text, {{30, 9000, 1}}, {most})) {
      EXPECT_EQ(part.text.size() % 3, 0U);
      EXPECT_EQ(part.skipped % 3, 0U);
    }
  }
}

TEST(Utf8Prefix, EndsBeforeTheCharacterThatDoesNotFit) {
  EXPECT_EQ(utf8_prefix("a雷", 3), "a");
  EXPECT_EQ(utf8_prefix("a雷", 4), "a雷");
  EXPECT_EQ(utf8_prefix("雷", 2), "");
  EXPECT_EQ(utf8_prefix("\xBF\xBF\xBF\xBF\xBF\xBF", 5).size(), 5U) << "bytes that are no text still end";
}

TEST(Excerpt, ShowsWhatMustBeSeenAtAnyPlace) {
  std::string text(50'000, 'x');
  for (std::size_t i = 30'000; i < 30'100; ++i) text[i] = 'L';
  const std::vector<ByteRange> seen = {{30'000, 30'100}};
  const auto parts = excerpt(text, {{0, 19'000, 1}}, {1'000, seen, 20'000});
  std::size_t at = 0, shown = 0, letters = 0;
  for (const ExcerptPart& part : parts) {
    EXPECT_EQ(text.substr(at, part.text.size()), part.text);
    at += part.text.size() + part.skipped;
    shown += part.text.size();
    letters += static_cast<std::size_t>(std::ranges::count(part.text, 'L'));
    if (at > 20'000 && part.skipped == 0) {
      EXPECT_LE(part.text.size(), 100U + 2 * 48) << "of what nobody compared nothing else";
    }
  }
  EXPECT_EQ(at, text.size());
  EXPECT_LE(shown, 1'000U);
  EXPECT_EQ(letters, 100U);
}

TEST(Excerpt, OfMuchThatMustBeSeenTheFirstIsSure) {
  const std::string text(10'000, 'x');
  const std::vector<ByteRange> seen = {{9'000, 9'100}, {2'000, 5'000}, {6'000, 8'000}};
  std::size_t at = 0, shown = 0;
  bool first_is_there = false;
  for (const ExcerptPart& part : excerpt(text, {}, {800, seen})) {
    if (part.skipped == 0 && at <= 9'000 && at + part.text.size() >= 9'100) first_is_there = true;
    at += part.text.size() + part.skipped;
    shown += part.text.size();
  }
  EXPECT_TRUE(first_is_there);
  EXPECT_EQ(at, text.size());
  EXPECT_LE(shown, 800U);
}

TEST(Excerpt, ATextThatFitsIsShownWhole) {
  const std::vector<ByteRange> seen = {{5, 7}, {4, 5}};
  EXPECT_EQ(joined(excerpt("one two three", {{4, 7, 1}}, {400, seen})), "(0:one )(1:two)(0: three)");
  EXPECT_EQ(joined(excerpt("一二三", {}, {400, std::vector<ByteRange>{{4, 5}}})), "(0:一二三)");
}

}  // namespace
}  // namespace leitong
