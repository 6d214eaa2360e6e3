#include "text/masked_numbers.hpp"

#include <gmock/gmock.h>

#include <random>

#include "text/random_text.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;

std::string masked_text(std::string_view text) {
  RewrittenText masked;
  mask_numbers(text, masked);
  return std::string(masked.text());
}

std::vector<Unit> masked_units(std::string_view text) {
  PodVector<Unit> units;
  to_units(text, {.numbers = NumberUnits::masked}, units);
  return {units.begin(), units.end()};
}

TEST(MaskedNumbersTest, EachRunOfDigitsIsOneZero) {
  EXPECT_EQ(masked_text("pump 7 of 120"), "pump 0 of 0");
  EXPECT_EQ(masked_text("2026-11-26 08:30:05"), "0-0-0 0:0:0");
  EXPECT_EQ(masked_text("x86-64 id=3fa9"), "x0-0 id=0fa0");
  EXPECT_EQ(masked_text("第12条"), "第0条");
  EXPECT_EQ(masked_text("no number, none."), "no number, none.");
  EXPECT_EQ(masked_text(""), "");
}

TEST(MaskedNumbersTest, PointsAndCommasBetweenDigitsBelongToTheNumber) {
  EXPECT_EQ(masked_text("3.14, 1,000,000 and 10.0.0.1."), "0, 0 and 0.");
  EXPECT_EQ(masked_text("1, 2. 3"), "0, 0. 0");
  EXPECT_EQ(masked_text("1..2 3,.4"), "0..0 0,.0");
  EXPECT_EQ(masked_text("٣٫١٤ ３．１４"), "0 0");
}

TEST(MaskedNumbersTest, ASignBelongsToItsNumberUnlessItMayBelongToTheTextBefore) {
  EXPECT_EQ(masked_text("-12 +3 (-4) x=-5 t:-6"), "0 0 (0) x=0 t:0");
  EXPECT_EQ(masked_text("−12"), "0");
  EXPECT_EQ(masked_text("12-7 a-7 )-7 - 7 --7"), "0-0 a-0 )-0 - 0 --0");
}

TEST(MaskedNumbersTest, DigitsOfEveryScriptAreDigits) {
  EXPECT_EQ(masked_text("٢٠٢٦ २०२६ ２０２６ x²"), "0 0 0 x0");
  EXPECT_EQ(masked_text("1\u200B2"), "0");
  EXPECT_EQ(masked_text("二十 Ⅻ ½"), "二十 Ⅻ ½");
}

TEST(MaskedNumbersTest, TextsThatDifferOnlyInNumbersHaveTheSameUnits) {
  EXPECT_EQ(masked_units("08:30:05 pump 7 took 12.5 ms"), masked_units("23:59:59 pump 1024 took -3 ms"));
  EXPECT_NE(masked_units("pump 7 took 12 ms"), masked_units("pump 7 took 12 s"));
  EXPECT_NE(masked_units("pump 7"), masked_units("pump"));
  PodVector<Unit> units;
  to_units("pump 0", units);
  EXPECT_EQ(masked_units("pump 1,024"), std::vector<Unit>(units.begin(), units.end()));
}

TEST(MaskedNumbersTest, PlacesAreThoseOfTheOriginal) {
  const std::string_view text = "雷 12.50 abc123d";
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  to_units_with_places(text, {.numbers = NumberUnits::masked}, units, places);
  std::vector<std::string> pieces;
  for (const ByteRange& place : places) pieces.emplace_back(text.substr(place.begin, place.size()));
  EXPECT_THAT(pieces, ElementsAre("雷", "12.50", "ab", "c123", "d"));
}

TEST(MaskedNumbersTest, PlacesOfAnyTextAreInOrderInsideIt) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 5; ++i) text += random_text(random, 10) + std::to_string(random() % 5000) + ".";
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    to_units_with_places(text, {.numbers = NumberUnits::masked}, units, places);
    const std::vector<Unit> expected = masked_units(text);
    ASSERT_TRUE(std::ranges::equal(units, expected));
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_LT(places[i].begin, places[i].end);
      ASSERT_LE(places[i].end, text.size());
      if (i > 0) {
        ASSERT_LE(places[i - 1].begin, places[i].begin);
      }
    }
  }
}

}  // namespace
}  // namespace leitong
