// Where texts are divided into lines, paragraphs and sentences, and where they may be divided at all.
#include "text/text_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/brkiter.h>

#include <memory>
#include <random>
#include <string>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> parts_of(std::string_view text, TextPart part) {
  std::vector<ByteRange> ranges;
  split_parts(text, part, ranges);
  std::vector<std::string> parts;
  std::string all;
  for (const ByteRange& range : ranges) {
    parts.emplace_back(text.substr(range.begin, range.size()));
    all += parts.back();
  }
  EXPECT_EQ(all, text);
  return parts;
}

TEST(TextParts, LinesHaveTheirLineEnds) {
  EXPECT_THAT(parts_of("", TextPart::line), IsEmpty());
  EXPECT_THAT(parts_of("a\r\n\nb", TextPart::line), ElementsAre("a\r\n", "\n", "b"));
}

TEST(TextParts, ParagraphsEndBehindBlankLines) {
  EXPECT_THAT(parts_of("\n \na\nb\n \t\n\nc\n", TextPart::paragraph),
              ElementsAre("\n \n", "a\nb\n \t\n\n", "c\n"));
}

TEST(TextParts, SentencesEndAtStops) {
  EXPECT_THAT(parts_of("六点开。七点？！“走吧。”他说", TextPart::sentence),
              ElementsAre("六点开。", "七点？！", "“走吧。”", "他说"));
  EXPECT_THAT(parts_of("我用 Speek!。你呢？", TextPart::sentence), ElementsAre("我用 Speek!。", "你呢？"));
  EXPECT_THAT(parts_of("Go on!  (At 3.50, see a.b.) \"No.\" Yes... e.g. this", TextPart::sentence),
              ElementsAre("Go on!  ", "(At 3.50, see a.b.) ", "\"No.\" ", "Yes... e.g. this"));
}

TEST(TextParts, LineEndsAndWhatIndentsLinesStandBetweenSentences) {
  EXPECT_THAT(parts_of("one\n\n  two. \r\nthree", TextPart::sentence),
              ElementsAre("one", "\n\n  ", "two. ", "\r\n", "three"));
}

TEST(MayDivide, NoMarkIsTakenFromItsLetter) {
  const std::string text = "ae\u0301か\u3099一";
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at <= text.size(); ++at)
    if (may_divide(text, at)) places.push_back(at);
  EXPECT_THAT(places, ElementsAre(0, 1, 4, 10, 13));
}

// ICU knows what a reader sees as one character; a place that it does not know as a border is none here.
TEST(MayDivide, AgreesWithIcu) {
  static constexpr char32_t kCharacters[] = {'a',    'b',    '\r',    '\n',    0x301,   0x4E00,  0x3099,
                                             0x200D, 0xFE0F, 0x1F468, 0x1F3FD, 0x1F1E9, 0x1F1EA, 0x1100,
                                             0x1161, 0x11A8, 0xAC00,  0xAC01,  0xE33,   0xE01,   0x93F,
                                             0x915,  0x600,  0x20E3,  '1',     0x2764};
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> borders(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  ASSERT_TRUE(U_SUCCESS(status));
  std::mt19937 random(7);
  std::size_t allowed = 0;
  for (int round = 0; round < 3000; ++round) {
    icu::UnicodeString text;
    std::string utf8;
    std::vector<std::pair<std::int32_t, std::size_t>> places;
    for (int i = 0; i < 8; ++i) {
      const char32_t c = kCharacters[random() % std::size(kCharacters)];
      places.emplace_back(text.length(), utf8.size());
      text.append(static_cast<UChar32>(c));
      char bytes[4];
      utf8.append(bytes, static_cast<std::size_t>(encode_utf8(c, bytes) - bytes));
    }
    borders->setText(text);
    for (const auto& [at, byte] : places) {
      if (!may_divide(utf8, byte)) continue;
      ++allowed;
      EXPECT_TRUE(borders->isBoundary(at)) << utf8 << " at " << byte;
    }
  }
  EXPECT_GT(allowed, 9000u);
}

}  // namespace
}  // namespace leitong
