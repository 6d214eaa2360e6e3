#include "text/page_artifacts.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/compared_text.hpp"
#include "text/random_text.hpp"
#include "text/signs.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> artifacts(std::string_view text) {
  std::vector<std::string> found;
  for (const ByteRange& place : page_artifacts(text))
    found.emplace_back(text.substr(place.begin, place.size()));
  return found;
}

std::vector<Unit> units_of(std::string_view text) {
  PodVector<Unit> units;
  to_units(text, units);
  return {units.begin(), units.end()};
}

/// Lines of prose that end in the middle of sentences.
std::string line_of_prose(std::mt19937& random) {
  static constexpr std::string_view kWords[] = {"the",   "owner",   "of",     "a",     "vessel", "shall",
                                                "carry", "on",      "every",  "coast", "such",   "papers",
                                                "as",    "harbour", "master", "asks",  "for",    "within"};
  std::string line;
  for (int i = 0; i < 10; ++i) line.append(i == 0 ? "" : " ").append(kWords[random() % std::size(kWords)]);
  return line;
}

std::vector<std::string> prose(int lines, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::string> text;
  for (int i = 0; i < lines; ++i) text.push_back(line_of_prose(random));
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(PageArtifactsTest, LineNumbersBeforeAndBehindTheTextAreNoText) {
  const std::vector<std::string> text = prose(60);
  std::string before, close, behind;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string number = std::to_string(i % 25 + 1);  // each page begins with 1
    before += "  " + number + "  " + text[i] + "\n";
    close += number + text[i] + "\n";
    behind += text[i] + number + "\r\n\r\n";
  }
  for (const std::string& numbered : {before, close, behind}) {
    EXPECT_EQ(artifacts(numbered).size(), 60U);
    EXPECT_EQ(units_of(numbered), units_of(joined(text)));
    EXPECT_EQ(signs_hash(numbered), signs_hash(joined(text)));
  }
}

TEST(PageArtifactsTest, ALineNumberThatIsMisreadDoesNotEndTheNumbering) {
  std::string text;
  int line = 0;
  for (const std::string& words : prose(60)) {
    ++line;
    text += (line % 9 == 0 ? "l2" : std::to_string(line)) + " " + words + "\n";
  }
  EXPECT_EQ(artifacts(text).size(), 54U);
}

TEST(PageArtifactsTest, ColumnsOfLineNumbersThatWereReadByThemselvesAreNoText) {
  std::string text, numbers;
  for (int i = 1; i <= 20; ++i) numbers += std::to_string(i) + "\n\n";
  for (unsigned page = 0; page < 3; ++page) text += numbers + joined(prose(20, page));
  EXPECT_EQ(artifacts(text).size(), 60U);
}

TEST(PageArtifactsTest, NumbersOfListsTablesAndProgramsAreText) {
  std::string list, table, ranks, program;
  for (int i = 1; i <= 60; ++i) {
    const std::string number = std::to_string(i);
    list += number + ". the owner of a vessel\n";
    table += number + " Harbour of the coast " + std::to_string(i * 7919 % 1000) + "\n";
    ranks += "Harbour " + number + "\n";
  }
  for (int run = 0; run < 5; ++run) {
    for (int i = 0; i < 12; ++i) program += std::to_string(i) + "\n";
    program += "done\n";
  }
  for (const std::string& text : {list, table, ranks, program})
    EXPECT_THAT(artifacts(text), IsEmpty()) << text;
}

std::string paged(const std::vector<std::string>& lines, const std::function<std::string(int)>& end_of_page) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i] + "\n";
    if (i % 20 == 19) text += end_of_page(static_cast<int>(i / 20) + 1);
  }
  return text;
}

TEST(PageArtifactsTest, PageNumbersAndTheHeadsBesideThemAreNoText) {
  const std::vector<std::string> text = prose(120);
  const auto head = [](int page) {
    return "\nS. B. No. 2426\n06/SS26\nPAGE " + std::to_string(page) + "\n\f\n";
  };
  const std::string with_heads = paged(text, head);
  EXPECT_EQ(artifacts(with_heads).size(), 18U);
  EXPECT_THAT(artifacts(with_heads), ::testing::Contains("S. B. No. 2426").Times(6));
  EXPECT_EQ(units_of(with_heads), units_of(joined(text)));
  const std::string bare = paged(text, [](int page) { return "- " + std::to_string(page + 40) + " -\n"; });
  EXPECT_EQ(artifacts(bare),
            (std::vector<std::string>{"- 41 -", "- 42 -", "- 43 -", "- 44 -", "- 45 -", "- 46 -"}));
}

TEST(PageArtifactsTest, PagesOfChineseText) {
  constexpr std::string_view kCharacters = "渡口船家河水山门风雨";
  std::mt19937 random(2);
  std::string text, plain;
  for (int page = 1; page <= 4; ++page) {
    for (int line = 0; line < 12; ++line) {
      std::string words;
      for (int i = 0; i < 14; ++i) words += kCharacters.substr(3 * (random() % 10), 3);
      text += words + "\n";
      plain += words + "\n";
    }
    text += "第 " + std::to_string(page) + " 页\n";
  }
  EXPECT_THAT(artifacts(text), ElementsAre("第 1 页", "第 2 页", "第 3 页", "第 4 页"));
  EXPECT_EQ(units_of(text), units_of(plain));
}

TEST(PageArtifactsTest, NumbersOfChaptersAreText) {
  // Chapters end with their sentences, and pages do not.
  std::string text;
  for (int chapter = 1; chapter <= 6; ++chapter) {
    text += std::to_string(chapter) + "\n";
    text += "A " + joined(prose(20, static_cast<unsigned>(chapter)));
  }
  EXPECT_THAT(artifacts(text), IsEmpty());
}

TEST(PageArtifactsTest, ARefrainAndARepeatedHeadingAreText) {
  std::string text;
  for (int verse = 0; verse < 6; ++verse) text += joined(prose(20)) + "and away they sail\n";
  EXPECT_THAT(artifacts(text), IsEmpty());
}

TEST(PageArtifactsTest, AWordThatTwoLinesShareIsOneWord) {
  EXPECT_THAT(artifacts("he was exam-\nined by the presi-\n  dent of the com-\r\nmission"),
              ElementsAre("-\n", "-\n  ", "-\r\n"));
  EXPECT_EQ(units_of("he was exami-\nned by the presi-\n dent of the com-\nmission"),
            units_of("he was examined by the president of the commission"));
}

TEST(PageArtifactsTest, FewHyphensAndThoseOfAddressesNamesAndListsAreText) {
  EXPECT_THAT(artifacts("one exam-\nple"), IsEmpty());
  EXPECT_THAT(artifacts(joined(prose(100)) + "exam-\nple presi-\ndent com-\nmission"), IsEmpty());
  EXPECT_THAT(artifacts("http://a.org/to-\nlast and /or-\nnot or a.b-\nc d"), IsEmpty());
  EXPECT_THAT(artifacts("Jean-\nLoup Anne-\nMarie Pont-\nNeuf\n-\nlast -\nlast 12-\nfold"), IsEmpty());
}

TEST(PageArtifactsTest, EveryKindOfHyphenIsKnown) {
  for (const std::string hyphen : {"-", "\u2010", "\u00AD", "\u00AC"}) {
    const std::string text = "exam" + hyphen + "\nple presi" + hyphen + "\ndent com" + hyphen + "\nmission";
    EXPECT_THAT(artifacts(text), Each(hyphen + "\n"));
    EXPECT_EQ(units_of(text), units_of("example president commission"));
  }
}

TEST(PageArtifactsTest, AWordOverTheEndOfAPageIsOnePlace) {
  std::string text, plain;
  for (int page = 1; page <= 4; ++page) {
    const std::string lines = joined(prose(20, static_cast<unsigned>(page)));
    const std::string words(static_cast<std::size_t>(page), 'o');
    text += lines + words + " har-\nPage " + std::to_string(page) + "\nbour " + words + "\n";
    plain += lines + words + " harbour " + words + "\n";
  }
  EXPECT_THAT(artifacts(text), ElementsAre("-\nPage 1\n", "-\nPage 2\n", "-\nPage 3\n", "-\nPage 4\n"));
  EXPECT_EQ(units_of(text), units_of(plain));
}

TEST(PageArtifactsTest, PlacesOfUnitsAreThoseOfTheWholeText) {
  const std::string text = "he was exam-\nined by the presi-\n  dent of the com-\nmission";
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  to_units_with_places(text, units, places);
  std::vector<std::string> pieces;
  for (const ByteRange& place : places) pieces.emplace_back(text.substr(place.begin, place.size()));
  EXPECT_THAT(pieces, ElementsAre("he", "wa", "s", "ex", "am", "in", "ed", "by", "th", "e", "pr", "es",
                                  "i-\n  d", "en", "t", "of", "th", "e", "co", "m-\nm", "is", "si", "on"));
}

TEST(PageArtifactsTest, ThePlacesOfAnyTextLieInOrderAndApart) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int line = 0; line < 60; ++line) {
      if (random() % 3 == 0) text += std::to_string(line % 20 + 1);
      text += random_text(random, 6) + (random() % 4 == 0 ? "-" : "") + "\n";
      if (random() % 8 == 0) text += std::to_string(line / 8) + "\n";
    }
    std::size_t end = 0;
    for (const ByteRange& place : page_artifacts(text)) {
      ASSERT_LE(end, place.begin);
      ASSERT_LT(place.begin, place.end);
      ASSERT_LE(place.end, text.size());
      end = place.end;
    }
    PodVector<Unit> units, slow;
    std::vector<ByteRange> places;
    to_units(text, units);
    to_units_with_places(text, slow, places);
    ASSERT_TRUE(std::ranges::equal(units, slow));
  }
}

}  // namespace
}  // namespace leitong
