#include "text/letters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace leitong {
namespace {

std::vector<std::uint32_t> letters_in(std::string_view text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> letters;
  letters.push_back(1);  // is replaced
  to_units(text, units);
  letters_of(units, letters);
  return {letters.begin(), letters.end()};
}

std::vector<std::uint32_t> characters(std::u32string_view text) { return {text.begin(), text.end()}; }

TEST(Letters, AreThoseOfTheFoldedText) {
  EXPECT_EQ(letters_in("The Café, No. 12b!"), characters(U"thecafeno12b"));
  EXPECT_EQ(letters_in("a b"), characters(U"ab"));
  EXPECT_EQ(letters_in("x１漢字z"), characters(U"x1汉字z"));
  EXPECT_EQ(letters_in("?"), characters(U""));
}

TEST(Letters, OfOtherScriptsAreTheUnits) {
  PodVector<Unit> units;
  to_units("Жук, 𠀀 ab", units);
  ASSERT_EQ(units.size(), 4U);
  EXPECT_EQ(letters_in("Жук, 𠀀 ab"), (std::vector<std::uint32_t>{units[0], units[1], units[2], 'a', 'b'}));
}

TEST(Letters, OfEachPairAreThePair) {
  const std::string signs = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (const char first : signs)
    for (const char second : signs)
      EXPECT_EQ(
          letters_in(std::string{first, second}),
          (std::vector<std::uint32_t>{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)}));
}

}  // namespace
}  // namespace leitong
