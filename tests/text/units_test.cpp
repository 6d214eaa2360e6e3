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

std::vector<Unit> twin_units_of(std::string_view text, const Folding& folding = {}) {
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  to_units_with_places(text, folding, units, places);
  return {units.begin(), units.end()};
}

std::vector<Unit> units_with_marks(std::string_view text, Simd level = simd_level()) {
  PodVector<Unit> units;
  to_units(text, units, level, {.marks = Marks::keep});
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

TEST(UnitsTest, AccentsOfLatinAndGreekFold) {
  EXPECT_EQ(units_of("Été à Łódź, ñandú"), units_of("ete a Łodz, nandu"));
  EXPECT_EQ(units_of("Việt Nam"), units_of("Viet Nam"));
  EXPECT_EQ(units_of("Σίσυφος ΐ"), units_of("ΣΙΣΥΦΟΣ ι"));
  EXPECT_EQ(units_of("q\u0307\u0323z"), units_of("qz"));  // no composed form
  EXPECT_NE(units_of("øre"), units_of("ore"));            // a letter, and no accent
}

TEST(UnitsTest, OptionalMarksAndLetterFormsOfArabicAndHebrewFold) {
  EXPECT_EQ(units_of("الرَّعْدُ"), units_of("الرعد"));
  EXPECT_EQ(units_of("الرعـــد"), units_of("الرعد"));
  EXPECT_EQ(units_of("أول إلى آخر ٱسم"), units_of("اول الي اخر اسم"));
  EXPECT_EQ(units_of("کتاب یکی"), units_of("كتاب يكي"));  // Persian letters
  EXPECT_EQ(units_of("שָׁלוֹם"), units_of("שלום"));
  EXPECT_NE(units_of("سؤال"), units_of("سوال"));
}

TEST(UnitsTest, VowelSignsAndTonesOfIndicScriptsAndThaiStay) {
  EXPECT_NE(units_of("की"), units_of("क"));
  EXPECT_NE(units_of("क़"), units_of("क"));
  EXPECT_NE(units_of("กี่"), units_of("กี"));
  EXPECT_NE(units_of("தமிழ்"), units_of("தமழ"));
  EXPECT_NE(units_of("が"), units_of("か"));
  EXPECT_NE(units_of("й"), units_of("и"));
  EXPECT_EQ(units_of("за\u0301мок"), units_of("замок"));  // stress
}

TEST(UnitsTest, DigitsOfEveryScriptAreDigits) {
  EXPECT_EQ(units_of("٢٠٢٦"), units_of("2026"));
  EXPECT_EQ(units_of("۲۰۲۶"), units_of("2026"));
  EXPECT_EQ(units_of("२०२६ ๒๐๒๖ ২০২৬"), units_of("2026 2026 2026"));
}

TEST(UnitsTest, MarksFormsOfLettersAndDigitsCountWhereTheyAreKept) {
  const auto differ = [](std::string_view a, std::string_view b) {
    return units_of(a) == units_of(b) && units_with_marks(a) != units_with_marks(b);
  };
  EXPECT_TRUE(differ("Été", "ete"));
  EXPECT_TRUE(differ("q\u0307\u0323z", "qz"));
  EXPECT_TRUE(differ("الرَّعْدُ", "الرعد"));
  EXPECT_TRUE(differ("الرعـــد", "الرعد"));
  EXPECT_TRUE(differ("أول", "اول"));
  EXPECT_TRUE(differ("کتاب یکی", "كتاب يكي"));
  EXPECT_TRUE(differ("שָׁלוֹם", "שלום"));
  EXPECT_TRUE(differ("٢٠٢٦", "2026"));
  // Everything else is folded as usual.
  EXPECT_EQ(units_with_marks("É"), units_with_marks("e\u0301"));
  EXPECT_EQ(units_with_marks("ＡＢＣ 雷聲"), units_with_marks("abc 雷声"));
  EXPECT_EQ(units_with_marks("р\u0430ypal"), units_with_marks("paypal"));
  EXPECT_EQ(units_with_marks("雷同 thunder 3.14"), units_of("雷同 thunder 3.14"));
}

TEST(UnitsTest, EveryKernelAgreesWithTheSlowTwinWhereMarksAreKept) {
  std::mt19937 random(13);
  for (int round = 0; round < 1000; ++round) {
    const GuardedText guarded(random_text(random, 1 + random() % 80));
    const std::vector<Unit> expected = twin_units_of(guarded.text(), {.marks = Marks::keep});
    for (const Simd level : usable_simd_levels())
      ASSERT_EQ(units_with_marks(guarded.text(), level), expected) << simd_name(level) << " round " << round;
  }
  const std::vector<Unit> expected = twin_units_of(kSampleText, {.marks = Marks::keep});
  for (const Simd level : usable_simd_levels()) EXPECT_EQ(units_with_marks(kSampleText, level), expected);
}

TEST(UnitsTest, LookAlikesInLatinWordsCountAsLatinLetters) {
  EXPECT_EQ(units_of("р\u0430ypal"), units_of("paypal"));
  EXPECT_EQ(units_of("the ВANК, ехample"), units_of("the bank, example"));
  EXPECT_EQ(units_of("exampl\u0435"), units_of("example"));
  EXPECT_EQ(units_of("micr\u03BFsoft"), units_of("microsoft"));
  EXPECT_EQ(units_of("x86-\u0445"), units_of("x86-\u0445"));
  EXPECT_EQ(units_of("a1\u0441"), units_of("a1c"));              // with a digit between
  EXPECT_EQ(units_of("pa\u200By\u0440al"), units_of("paypal"));  // and something invisible
  // Words of these scripts alone, and words with a letter without a look-alike, do not change.
  EXPECT_NE(units_of("сор"), units_of("cop"));
  EXPECT_NE(units_of("Xорошо"), units_of("Xopoшo"));
  EXPECT_NE(units_of("5 µm"), units_of("5 mm"));
}

TEST(UnitsTest, AWordWithLookAlikesIsFoundAtAnyPlace) {
  for (std::size_t before = 0; before < 200; ++before)
    for (const std::string_view filler : {"x ", "д ", "雷"}) {
      std::string text;
      while (text.size() < before) text += filler;
      const std::string latin = text + "thunderclap, etc.", mixed = text + "thunderсlар, еtс.";
      for (const Simd level : usable_simd_levels())
        ASSERT_EQ(units_of(mixed, level), units_of(latin, level)) << simd_name(level) << ' ' << before;
    }
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

TEST(UnitsTest, EveryKernelAgreesWithTheSlowTwinOnWordsOfMixedScripts) {
  std::mt19937 random(11);
  constexpr std::string_view kLetters[] = {"a", "e", "k", "0", "7", "а",      "е", "о", "р",  "п",
                                           "ж", "ο", "λ", "é", "́",  "\u200B", " ", "-", "雷", "ﬁ"};
  for (int round = 0; round < 4000; ++round) {
    std::string text(random() % 70, round % 3 == 0 ? ' ' : 'q');
    const std::size_t kinds = 2 + random() % (std::size(kLetters) - 1);
    for (std::size_t i = random() % 300; i > 0; --i) text += kLetters[random() % kinds];
    if (round % 8 == 0) text += text + text + text + text;
    const GuardedText guarded(text);
    const std::vector<Unit> expected = twin_units_of(guarded.text());
    for (const Simd level : usable_simd_levels())
      ASSERT_EQ(units_of(guarded.text(), level), expected) << simd_name(level) << " round " << round;
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
