#include "text/units.hpp"

#include <gmock/gmock.h>

#include <random>

#include "text/random_text.hpp"
#include "text/sample_text.hpp"
#include "text/simd_levels.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<Unit> units_of(std::string_view text, Simd level) {
  PodVector<Unit> units;
  to_units(text, units, level);
  return {units.begin(), units.end()};
}
std::vector<Unit> units_of(std::string_view text) { return units_of(text, simd_level()); }

std::vector<Unit> twin_units_of(std::string_view text) {
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  to_units_with_places(text, units, places);
  return {units.begin(), units.end()};
}

std::vector<std::string> pieces_of(std::string_view text) {
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  to_units_with_places(text, units, places);
  std::vector<std::string> pieces;
  for (const ByteRange& place : places)
    pieces.emplace_back(text.substr(place.begin, place.end - place.begin));
  return pieces;
}

TEST(UnitsTest, HanKanaAndHangulAreUnitsOfTheirOwn) {
  EXPECT_THAT(pieces_of("雷同 かな 한글"), ElementsAre("雷", "同", "か", "な", "한", "글"));
}

TEST(UnitsTest, OtherScriptsGiveTwoLettersCountedFromTheWordsStart) {
  EXPECT_THAT(pieces_of("thunder, x86-64"), ElementsAre("th", "un", "de", "r", "x8", "6", "64"));
  EXPECT_THAT(pieces_of("Привет мир"), ElementsAre("Пр", "ив", "ет", "ми", "р"));
}

TEST(UnitsTest, ScriptsMeetWithoutASpace) {
  EXPECT_THAT(pieces_of("用vim编辑3次"), ElementsAre("用", "vi", "m", "编", "辑", "3", "次"));
}

TEST(UnitsTest, SpacePunctuationAndSymbolsOnlySeparate) {
  EXPECT_EQ(units_of("一,二。 三——四…🙂五"), units_of("一二三四五"));
  EXPECT_EQ(units_of("so it goes"), units_of("«so», (it)\tgoes…!"));
  EXPECT_THAT(units_of("。、 \n🙂🌩️ --- ¨ ´"), SizeIs(0));
  EXPECT_NE(units_of("ab"), units_of("a b"));
}

TEST(UnitsTest, CaseWidthAndCompatibilityFormsFold) {
  EXPECT_EQ(units_of("ＦＵＬＬ　Ｗｉｄｔｈ１２"), units_of("full width12"));
  EXPECT_EQ(units_of("STRASSE"), units_of("straße"));
  EXPECT_EQ(units_of("ﬁne ①"), units_of("fine 1"));
  EXPECT_EQ(units_of("ｶﾞｷﾞ"), units_of("ガギ"));
  EXPECT_EQ(units_of("5㎏の㍿"), units_of("5kgの株式会社"));
}

TEST(UnitsTest, TraditionalAndVariantCharactersFold) {
  EXPECT_EQ(units_of("雷聲與閃電"), units_of("雷声与闪电"));
  EXPECT_EQ(units_of("裏"), units_of("里"));
  EXPECT_EQ(units_of("峯"), units_of("峰"));
  EXPECT_EQ(units_of("読"), units_of("读"));
  EXPECT_NE(units_of("雷"), units_of("电"));
}

TEST(UnitsTest, InvisibleCharactersVanish) {
  EXPECT_EQ(units_of("thun\u200Bder\u00ADbolt\uFEFF"), units_of("thunderbolt"));
  EXPECT_EQ(units_of("雷\uFE00同\U000E0101"), units_of("雷同"));
}

TEST(UnitsTest, ComposedAndDecomposedFormsAreEqual) {
  EXPECT_EQ(units_of("e\u0301te\u0301"), units_of("été"));
  EXPECT_EQ(units_of("か\u3099"), units_of("が"));
  EXPECT_EQ(units_of("\u1112\u1161\u11AB"), units_of("한"));
  EXPECT_EQ(units_of("\u0E01\u0E48\u0E38"), units_of("\u0E01\u0E38\u0E48"));  // marks in canonical order
}

TEST(UnitsTest, MarksAndLettersOfEveryScriptCount) {
  EXPECT_THAT(pieces_of("ไทย"), ElementsAre("ไท", "ย"));
  EXPECT_THAT(pieces_of("हिन्दी"), ElementsAre("हि", "न्", "दी"));
  EXPECT_THAT(pieces_of("سلام"), ElementsAre("سل", "ام"));
  EXPECT_NE(units_of("กา"), units_of("กี"));
}

TEST(UnitsTest, PrivateAndUnknownCharactersAreNotLost) {
  EXPECT_THAT(pieces_of("\uE000\U000F0001\U00050000\U00032FFF"), SizeIs(4));
}

TEST(UnitsTest, OneCharacterCanGiveManyUnits) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "\uFDFA";
  EXPECT_THAT(units_of(text), SizeIs(3000 * 8));
}

TEST(UnitsTest, NothingComesFromNothing) {
  for (const Simd level : usable_simd_levels()) EXPECT_THAT(units_of("", level), SizeIs(0));
  EXPECT_THAT(twin_units_of(""), SizeIs(0));
}

TEST(UnitsTest, PlacesRiseAndLieWithinTheText) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::string text = random_text(random, 40);
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    to_units_with_places(text, units, places);
    ASSERT_EQ(units.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_LT(places[i].begin, places[i].end);
      ASSERT_LE(places[i].end, text.size());
      if (i > 0) {
        ASSERT_LE(places[i - 1].begin, places[i].begin);
      }
    }
  }
}

TEST(UnitsTest, EveryKernelAgreesWithTheSlowTwinOnEverySlice) {
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = random_text(random, 1 + random() % 60);
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); ++i)
      if ((text[i] & 0xC0) != 0x80) starts.push_back(i);
    starts.push_back(text.size());
    for (int slice = 0; slice < 4; ++slice) {
      std::size_t a = starts[random() % starts.size()];
      std::size_t b = starts[random() % starts.size()];
      if (a > b) std::swap(a, b);
      const GuardedText guarded(std::string_view(text).substr(a, b - a));
      const std::vector<Unit> expected = twin_units_of(guarded.text());
      for (const Simd level : usable_simd_levels())
        ASSERT_EQ(units_of(guarded.text(), level), expected)
            << simd_name(level) << " round " << round << ' ' << a << ' ' << b;
    }
  }
}

TEST(UnitsTest, RealSentencesOfManyScriptsAgreeWithTheSlowTwinFromEveryPlace) {
  for (std::size_t i = 0; i < kSampleText.size(); ++i) {
    if ((kSampleText[i] & 0xC0) == 0x80) continue;
    const GuardedText guarded(kSampleText.substr(i));
    const std::vector<Unit> expected = twin_units_of(guarded.text());
    for (const Simd level : usable_simd_levels())
      ASSERT_EQ(units_of(guarded.text(), level), expected) << simd_name(level) << ' ' << i;
  }
}

TEST(UnitsTest, LongTextsAreCutWithoutATrace) {
  std::mt19937 random(2);
  for (int round = 0; round < 12; ++round) {
    const std::string text = random_text(random, 4000);
    const std::vector<Unit> expected = twin_units_of(text);
    for (const Simd level : usable_simd_levels())
      ASSERT_EQ(units_of(text, level), expected) << simd_name(level);
  }
  std::string marks = "e";
  for (int i = 0; i < 20000; ++i) marks += i % 2 ? "\u0301" : "\u0316";
  for (const Simd level : usable_simd_levels()) EXPECT_EQ(units_of(marks, level), twin_units_of(marks));
}

}  // namespace
}  // namespace leitong
