// Items in documents: the finder beside a twin that looks at every window of every document.
#include "leaks/item_finder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "leaks/answer.hpp"
#include "leaks/item_shape.hpp"
#include "leaks/masked_units.hpp"

namespace leitong {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<FoundItem> found_in(const ItemFinder& finder, std::string_view text) {
  std::vector<FoundItem> found;
  const auto workspace = finder.new_workspace();
  finder.find(text, *workspace, found);
  return found;
}

/// One item in one document.
std::vector<FoundItem> look(std::string_view item, std::string_view document,
                            std::optional<double> share = {}) {
  const auto finder = make_share_finder(share);
  EXPECT_TRUE(finder->add(item)) << item;
  finder->build();
  return found_in(*finder, document);
}

std::string passage(std::string_view text, const FoundItem& found) {
  return std::string(text.substr(found.place.begin, found.place.end - found.place.begin));
}

constexpr std::string_view kFerry = "渡船清晨六点开第一班,雾大的日子改到几点?";

TEST(ItemFinder, FindsAnItemThatStandsThereAsItIs) {
  const std::string text = "从前有座山。渡船清晨六点开第一班，雾大的日子改到几点？山里有座庙。";
  const auto found = look(kFerry, text);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].equal);
  EXPECT_EQ(found[0].share, 1);
  EXPECT_EQ(passage(text, found[0]), "渡船清晨六点开第一班，雾大的日子改到几点");
}

TEST(ItemFinder, WhiteSpaceWidthCaseAndTraditionalCharactersDoNotCount) {
  for (const std::string_view text :
       {"渡船 清晨\n六點 開第一班 霧大的日子改到幾點", "ＡＢ渡船清晨六点　开第一班。雾大的日子改到几点"}) {
    const auto found = look(kFerry, text);
    ASSERT_THAT(found, SizeIs(1)) << text;
    EXPECT_TRUE(found[0].equal) << text;
  }
  EXPECT_THAT(look("What is the Capital of France?", "so WHAT  IS the\ncapital of france, then"), SizeIs(1));
}

TEST(ItemFinder, OtherNumbersAreAnEdit) {
  const auto found = look("小明有12个苹果,吃了3个,还剩几个?", "题：小明有 5 個蘋果，吃了 1048 個，還剩幾個");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].equal);
  EXPECT_EQ(found[0].share, 1);
}

TEST(ItemFinder, AnItemOfNumbersIsFoundOnlyAsItIs) {
  constexpr std::string_view kDates = "3月10日至1922年4月22日有效";
  EXPECT_THAT(look(kDates, "自5月7日至2001年6月2日有效"), IsEmpty());
  EXPECT_THAT(look(kDates, "自3月10日至1922年4月22日有效"), SizeIs(1));
}

TEST(ItemFinder, ChoicesInAnotherOrderAreTheSame) {
  constexpr std::string_view kItem = "下列城市中哪一座是河南省的省会?\nA. 郑州\nB. 洛阳\nC. 开封\nD. 安阳";
  constexpr std::string_view kOther = "下列城市中哪一座是河南省的省会？ A. 安阳 B. 开封 C. 郑州 D. 洛阳 ";
  const auto found = look(kItem, kOther);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].share, 1);
  EXPECT_FALSE(found[0].equal);
}

TEST(ItemFinder, AnotherQuestionOfTheSameFrameIsNotFound) {
  EXPECT_THAT(look("下列关于细胞膜的说法中正确的是哪一项", "下列关于唐代诗歌的说法中正确的是哪一项"),
              IsEmpty());
  EXPECT_THAT(look("下列关于细胞膜的说法中正确的是哪一项", "下列关于唐代诗歌的说法中正确的是哪一项", .5),
              SizeIs(1));
}

TEST(ItemFinder, ShinglesThatLieFarApartAreNoPassage) {
  std::string text;
  const std::vector<std::string> parts = {"渡船清晨", "六点开第", "一班雾大", "的日子改", "到几点了"};
  for (const std::string& part : parts)
    text += part + "然后他说了很久很久别的事情直到天黑为止大家都睡着了谁也没有再听下去";
  EXPECT_THAT(look("渡船清晨六点开第一班雾大的日子改到几点了", text, .7), IsEmpty());
}

TEST(ItemFinder, ShortItemsAreNotTaken) {
  for (const std::string_view text : {"", "?!", "什么是光合作", "1 + 1 = 2", "2026-11-26", "why not"})
    EXPECT_FALSE(make_share_finder({})->add(text)) << text;
  EXPECT_TRUE(make_share_finder({})->add("黑色、蓝色、绿色、蓝绿色、"));
  EXPECT_TRUE(make_share_finder({})->add("What is love"));
}

TEST(ItemFinder, EqualItemsHaveOneNumber) {
  const auto finder = make_share_finder({});
  EXPECT_EQ(finder->add(kFerry), 0u);
  EXPECT_EQ(finder->add("What is the capital of France?"), 1u);
  EXPECT_EQ(finder->add("渡船清晨六點開第一班　霧大的日子改到幾點"), 0u);
}

TEST(ItemFinder, RunsOfWordsAreCountedAsPapersDo) {
  const auto finder = make_ngram_finder(5);
  EXPECT_FALSE(finder->add("only four words here"));
  EXPECT_EQ(finder->add("the quick brown fox jumps over the lazy dog"), 0u);
  EXPECT_EQ(finder->add("渡船清晨六点开第一班"), 1u);
  finder->build();
  EXPECT_THAT(found_in(*finder, "a quick brown fox jumps"), IsEmpty());
  const std::string text = "See: the quick, brown fox jumps! 清晨六點開";
  const auto found = found_in(*finder, text);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(passage(text, found[0]), "the quick, brown fox jumps");
  EXPECT_FLOAT_EQ(found[0].share, 1.F / 5);
  EXPECT_EQ(passage(text, found[1]), "清晨六點開");
  EXPECT_FALSE(found[1].equal);
  EXPECT_THAT(found_in(*finder, "the quicker brown foxes jumps over"), IsEmpty());
}

TEST(Answers, StandNearOrDoNot) {
  Answers answers;
  answers.add("B");
  answers.add(" . ");
  EXPECT_TRUE(answers.empty());
  answers.add("郑州");
  const std::string question = "河南省的省会是哪座城市", far(3 * 100, 'x');
  const ByteRange place{0, question.size()};
  EXPECT_TRUE(answers.stand_near(question + "？答：鄭州", place));
  EXPECT_FALSE(answers.stand_near(question + "？答：洛阳", place));
  EXPECT_FALSE(answers.stand_near(question + far + "郑州", place));
}

// The twin.

std::uint64_t pair_of(Unit a, Unit b) { return std::uint64_t{a} << 32 | b; }

/// The most shingles of an item that any window holds.
std::size_t most_shingles(const ItemShape& item, const PodVector<Unit>& document) {
  std::set<std::uint64_t> wanted;
  for (std::size_t i = 0; i + 1 < item.parts.size(); ++i)
    if (item.parts[i] != kBreakUnit && item.parts[i + 1] != kBreakUnit)
      wanted.insert(pair_of(item.parts[i], item.parts[i + 1]));
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < document.size(); ++begin) {
    std::set<std::uint64_t> seen;
    for (std::size_t i = begin; i + 1 < document.size() && i + 1 < begin + item.window; ++i)
      if (wanted.contains(pair_of(document[i], document[i + 1])))
        seen.insert(pair_of(document[i], document[i + 1]));
    most = std::max(most, seen.size());
  }
  return most;
}

class RandomTexts {
 public:
  std::string text(std::size_t characters) {
    std::string text;
    for (std::size_t i = 0; i < characters; ++i) text += character();
    return text;
  }
  /// With some characters of its first half replaced.
  std::string edited(const std::string& text) {
    std::string edited = text;
    const std::size_t half = text.size() / 6;  // characters
    for (std::size_t edits = random_() % 6; edits > 0; --edits)
      edited.replace(3 * (random_() % half), 3, character());
    return edited;
  }
  std::size_t up_to(std::size_t n) { return random_() % n; }

 private:
  std::string character() {
    const auto code = static_cast<std::uint32_t>(0x4E00 + random_() % 0x400);
    return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  }
  std::mt19937 random_{26};
};

TEST(ItemFinder, FindsWhatTheTwinFinds) {
  RandomTexts random;
  std::vector<std::string> items;
  for (int i = 0; i < 60; ++i) items.push_back(random.text(24 + random.up_to(60)));
  for (int i = 0; i < 30; ++i) items.push_back(random.text(12) + items[i].substr(0, 30));  // common starts
  const auto finder = make_share_finder({});
  std::vector<ItemShape> shapes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    ASSERT_EQ(finder->add(items[i]), i);
    to_item_shape(items[i], shapes[i]);
  }
  finder->build();
  std::size_t all = 0, edited = 0;
  for (int d = 0; d < 30; ++d) {
    std::string text = random.text(random.up_to(200));
    for (std::size_t n = random.up_to(4); n > 0; --n)
      text += random.edited(items[random.up_to(items.size())]) + random.text(random.up_to(50));
    MaskedUnits units;
    to_masked_units(text, units);
    std::map<std::uint32_t, float> expected, got;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const double share = static_cast<double>(most_shingles(shapes[i], units.masked)) / shapes[i].shingles;
      if (share >= share_for(shapes[i].shingles)) expected[i] = static_cast<float>(share);
    }
    for (const FoundItem& found : found_in(*finder, text)) {
      got[found.item] = found.share;
      const std::string found_text = passage(text, found);
      to_masked_units(found_text, units);
      EXPECT_EQ(most_shingles(shapes[found.item], units.masked),
                std::lround(found.share * static_cast<float>(shapes[found.item].shingles)));
      EXPECT_EQ(found.equal, text.find(items[found.item]) != std::string::npos);
      edited += !found.equal;
    }
    EXPECT_EQ(got, expected) << text;
    all += got.size();
  }
  EXPECT_GT(all, 25u);
  EXPECT_GT(edited, 8u);
}

}  // namespace
}  // namespace leitong
