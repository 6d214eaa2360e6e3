#include "text/signs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text/normalise.hpp"
#include "text/random_text.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

std::string signs_in(std::string_view text) {
  std::string found;
  for (const Sign& sign : signs_of(text)) append_utf8(sign.sign, found);
  return found;
}

bool same_signs(std::string_view a, std::string_view b) {
  const bool same = signs_of(a) == signs_of(b);
  EXPECT_EQ(same, signs_hash(a) == signs_hash(b)) << a << " / " << b;
  return same;
}

std::vector<Unit> units_of(std::string_view text) {
  PodVector<Unit> units;
  to_units(text, units);
  return {units.begin(), units.end()};
}

TEST(SignsTest, OperatorsAreText) {
  EXPECT_FALSE(same_signs("if x < y then", "if x > y then"));
  EXPECT_FALSE(same_signs("12+7", "12-7"));
  EXPECT_FALSE(same_signs("12+7", "12 7"));
  EXPECT_FALSE(same_signs("a == b", "a != b"));
  EXPECT_FALSE(same_signs("a <= b", "a < b"));
  EXPECT_FALSE(same_signs("2 * 3", "2 / 3"));
  EXPECT_FALSE(same_signs("2 × 3", "2 ÷ 3"));
  EXPECT_FALSE(same_signs("2*(3+4)", "2*3+4"));
  EXPECT_FALSE(same_signs("(12+7)*3", "12+(7*3)"));
  EXPECT_FALSE(same_signs("x = -y", "x = y"));
  EXPECT_FALSE(same_signs("if (!ready) stop", "if (ready) stop"));
  EXPECT_FALSE(same_signs("x^2", "x 2"));
  EXPECT_FALSE(same_signs("a && b", "a || b"));
  EXPECT_FALSE(same_signs("a ≤ b", "a ≥ b"));
  EXPECT_EQ(signs_in("0 ≤ x ≤ 5"), "≤≤");
}

TEST(SignsTest, WhatBelongsToANumberIsText) {
  EXPECT_FALSE(same_signs("-12", "12"));
  EXPECT_FALSE(same_signs("It was -12 degrees", "It was 12 degrees"));
  EXPECT_FALSE(same_signs("3.14", "3 14"));
  EXPECT_FALSE(same_signs("3:2", "3.2"));
  EXPECT_FALSE(same_signs("5%", "5"));
  EXPECT_FALSE(same_signs("5°", "5"));
  EXPECT_FALSE(same_signs("$5", "€5"));
  EXPECT_FALSE(same_signs("½", "12"));
  EXPECT_TRUE(same_signs("5℃", "5°C"));
  EXPECT_TRUE(same_signs("½", "1⁄2"));
  EXPECT_TRUE(same_signs("2010–2015", "2010-2015"));
  EXPECT_TRUE(same_signs("−12", "-12"));
}

TEST(SignsTest, NamesKeepTheirSigns) {
  EXPECT_FALSE(same_signs("We write C", "We write C++"));
  EXPECT_FALSE(same_signs("We write C", "We write C#"));
  EXPECT_FALSE(same_signs("We write C++", "We write C#"));
  EXPECT_FALSE(same_signs("AT&T", "AT T"));
  EXPECT_FALSE(same_signs("me@example.org", "me example.org"));
}

TEST(SignsTest, QuotationMarksStopsAndBracketsOfProseAreNone) {
  for (const std::string_view text :
       {"“Thunder”, he said; it rolled on.", "《雷同》：「兩篇」——相同……！", "word (in brackets) [and more]",
        "don't – well-known — ‘so’", "“Déjà vu” « c'est » „so“", "雷、同？", "a_b snake_case",
        "what?! no..."})
    EXPECT_EQ(signs_in(text), "") << text;
  EXPECT_TRUE(same_signs("\"Thunder\", he said.", "Thunder he said"));
}

TEST(SignsTest, BulletsHeadingsRulesAndOrnamentsAreNone) {
  EXPECT_EQ(signs_in("- one\n* two\n> three\n→ four\n## five\n#six\n  - seven"), "");
  EXPECT_EQ(signs_in("● one\n■ two ◆ three ★"), "");
  EXPECT_EQ(signs_in("=====\nTitle\n-----\n+++++++\n~~~~"), "");
  EXPECT_EQ(signs_in("© 2026 All rights reserved ®"), "");
  EXPECT_EQ(signs_in("| Home | About |"), "");
  EXPECT_EQ(signs_in("# one # two## three###\n- **DQL (Query)**: a **word**"), "");
  EXPECT_TRUE(same_signs("500GB SSD \\* 1", "500GB SSD * 1"));
  EXPECT_EQ(signs_in("-12 degrees\n- 12 degrees"), "-");  // of a number; a bullet
}

TEST(SignsTest, AHyphenBetweenALetterAndADigitIsNone) {
  EXPECT_EQ(signs_in("covid-19, GPT-4, x86-64"), "-") << "between digits it is one";
  EXPECT_EQ(signs_in("温度-12 et -5"), "--");
}

TEST(SignsTest, NumbersOfListsHaveNone) {
  EXPECT_EQ(signs_in("1. 5 apples\n2) 7 pears\n(3) 9 plums. 4、11"), "");
  EXPECT_TRUE(same_signs("1. 5 apples", "1) 5 apples"));
}

TEST(SignsTest, BulletsOfLinesThatWereJoinedAreNone) {
  EXPECT_EQ(signs_in("Title # one - 5 apples - pears $ make"), "");
  EXPECT_EQ(signs_in("C# F#, 12 - 7, (a) - 5, cost $ 5"), "##-)-$");
  EXPECT_EQ(signs_in("苹果 - 5 个"), "");
}

TEST(SignsTest, WidthWhiteSpaceAndCompositionMakeNoDifference) {
  EXPECT_TRUE(same_signs("x＜y＋１％", "x < y + 1 %"));
  EXPECT_TRUE(same_signs("x≠y", "x=\u0338y"));
  EXPECT_TRUE(same_signs("e\u0301=1", "é=1"));
  EXPECT_TRUE(same_signs("か\u3099=\u1112\u1161\u11AB+1", "が=한+1"));
  EXPECT_TRUE(same_signs("１，２", "1, 2"));
  EXPECT_TRUE(same_signs("٪٥", "%5"));
}

TEST(SignsTest, TheirPlaceCounts) {
  EXPECT_FALSE(same_signs("1 1 -1 1 1", "1 -1 1 1 1"));
  EXPECT_FALSE(same_signs("a<b a b", "a b a<b"));
  EXPECT_EQ(signs_of("雷同 = ab"), (std::vector<Sign>{{2, U'='}}));
}

TEST(SignsTest, TheSameTextDiffersInFormAlone) {
  EXPECT_TRUE(same_text("Ｔｈｅ　ＳＡＭＥ text", "the same\n text"));
  EXPECT_TRUE(same_text("兩篇文章，相同", "两篇文章，相同"));
  EXPECT_TRUE(same_text("用 vim 编辑", "用vim编辑"));
  EXPECT_TRUE(same_text("x < y", "x<y"));
  EXPECT_TRUE(same_text("thun\u200Bder e\u0301", "thunder é"));
  EXPECT_FALSE(same_text("“so”", "so"));
  EXPECT_FALSE(same_text("so.", "so"));
  EXPECT_FALSE(same_text("été", "ete"));
  EXPECT_FALSE(same_text("x < y", "x > y"));
  EXPECT_FALSE(same_text("to day", "today"));
  EXPECT_FALSE(same_text("say\n> 5", "say > 5")) << "a mark of a quotation, and an operator";
  EXPECT_EQ(same_text_hash("Ｘ < Y"), same_text_hash("x<y"));
  EXPECT_NE(same_text_hash("x < y"), same_text_hash("x > y"));
}

TEST(SignsTest, TheSameTextHasTheSameUnits) {
  const Normaliser normaliser(NormaliseOptions{.simplify = true});
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, 1 + random() % 12);
    const PodVector<char> characters = compared_characters(text);
    const std::size_t of_signs = signs_hash(text) != 0 ? sizeof(std::uint64_t) : 0;
    const std::string form(characters.data(), characters.size() - of_signs);
    // A normal form has the units of its text, except for spacing accents (docs/text.md).
    PodVector<char> normal;
    normaliser(text, normal);
    ASSERT_EQ(units_of(form), units_of({normal.data(), normal.size()})) << round;
  }
}

TEST(SignsTest, AnyTextIsWalkedWithinItsBounds) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_text(random, 1 + random() % 40);
    ASSERT_EQ(signs_of(text).empty(), signs_hash(text) == 0);
    std::uint64_t before = 0;
    for (const Sign& sign : signs_of(text)) {
      ASSERT_GE(sign.letters, before);
      before = sign.letters;
    }
  }
}

}  // namespace
}  // namespace leitong
