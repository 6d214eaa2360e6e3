#include "text/packed_units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "text/random_text.hpp"
#include "text/simd_levels.hpp"

namespace leitong {
namespace {

std::size_t words_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint16_t> words;
  to_units(text, units);
  pack_units(units, words);
  EXPECT_GT(units.size(), 0U);
  return words.size();
}

TEST(PackedUnits, AreTheUnitsAgain) {
  std::mt19937 random(1);
  PodVector<std::uint16_t> words;
  PodVector<Unit> units, all, again;
  PodVector<std::uint16_t> slowly, quickly;
  std::vector<std::size_t> begins, counts;
  for (int i = 0; i < 300; ++i) {
    to_units(random_text(random, 20), units);
    // What no text has, too: surrogates, and numbers around the borders.
    for (const Unit unit :
         {0U, 0xD7FFU, 0xD800U, 0xDFFFU, 0xE000U, 0xFFFFU, 0x10000U, 0x80000000U, UINT32_MAX})
      units.push_back(unit);
    units.push_back(static_cast<Unit>(random()));
    begins.push_back(words.size());
    counts.push_back(units.size());
    all.append(units);
    pack_units(units, words);
    slowly.clear();
    pack_units(units, slowly, Simd::scalar);
    for (const Simd level : usable_simd_levels()) {
      quickly.clear();
      pack_units(units, quickly, level);
      ASSERT_TRUE(std::ranges::equal(quickly, slowly)) << simd_name(level);
    }
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    for (const Simd level : usable_simd_levels()) {
      unpack_units(words.data() + begins[i], counts[i], again, level);
      ASSERT_EQ(again.size(), counts[i]);
      ASSERT_TRUE(std::equal(again.begin(), again.end(), all.begin() + at)) << i << simd_name(level);
    }
    at += counts[i];
  }
}

TEST(PackedUnits, GiveTheUnitsAgainWithLongCodesAtAnyPlace) {
  for (const Unit other : {0xD800U, 0xDFFFU, 0x1F600U, 0x80000001U})
    for (std::size_t place = 0; place < 40; ++place) {
      PodVector<Unit> units, again;
      PodVector<std::uint16_t> words;
      for (Unit i = 0; i < 40; ++i) units.push_back(i % 2 == 0 ? 0x4E00 + i : 0xE000 + i);
      units[place] = other;
      pack_units(units, words);
      EXPECT_EQ(words.size(), units.size() + 2);
      unpack_units(words.data(), units.size(), again);
      EXPECT_TRUE(std::ranges::equal(again, units)) << place;
    }
}

TEST(PackedUnits, HaveAWordForEachPairOfLettersAndDigits) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string text;
  for (const char first : kLetters) {
    text += {first, ' '};
    for (const char second : kLetters) text += {first, second, ' '};
  }
  PodVector<Unit> units, again;
  to_units(text, units);
  ASSERT_EQ(units.size(), 36U * 37);
  for (const Simd level : usable_simd_levels()) {
    PodVector<std::uint16_t> words;
    pack_units(units, words, level);
    EXPECT_EQ(words.size(), units.size());
    EXPECT_EQ(std::set<std::uint16_t>(words.begin(), words.end()).size(), units.size());
    unpack_units(words.data(), units.size(), again, level);
    EXPECT_TRUE(std::ranges::equal(again, units)) << simd_name(level);
  }
}

TEST(PackedUnits, TakeTwoBytesForHanCharactersAndForPairsOfLetters) {
  EXPECT_EQ(words_of("渡船清晨六點開第一班"), 10U);
  EXPECT_EQ(words_of("The quick Brown fox 2026"), 2U + 3 + 3 + 2 + 2);
  EXPECT_EQ(words_of("паром"), 3U * 3);  // three pairs that have no code
}

}  // namespace
}  // namespace leitong
