#include "text/unit_place.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/units.hpp"

namespace leitong {
namespace {

TEST(UnitPlace, IsWhereTheUnitsStand) {
  const std::string text = "渡口。Ferry at 8\n霧大的日子";
  const ByteRange place = place_of_units(text, 2, 4);
  EXPECT_EQ(text.substr(place.begin, place.size()), "Ferr");
  const ByteRange later = place_of_units(text, 7, 9);
  EXPECT_EQ(text.substr(later.begin, later.size()), "霧大");
}

TEST(UnitPlace, OfUnitsThatATextDoesNotHaveIsItsEnd) {
  EXPECT_EQ(place_of_units("渡口", 2, 3), (ByteRange{6, 6}));
  EXPECT_EQ(place_of_units("", 0, 1), (ByteRange{0, 0}));
}

TEST(UnitPlace, IsThatOfTheWholeTextHoweverLongItIs) {
  const std::vector<std::string> parts = {"渡", "é", "Ab",      "c", " ",  "\n", "\r\n",
                                          "。", "ﬁ", "e\u0301", "8", "한", "ｱﾞ"};
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    while (text.size() < 30'000) text += parts[random() % parts.size()];
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    to_units_with_places(text, units, places);
    for (int i = 0; i < 20; ++i) {
      const std::size_t begin = random() % units.size(), end = begin + 1 + random() % 50;
      ASSERT_EQ(place_of_units(text, begin, end),
                (ByteRange{places[begin].begin, places[std::min(end, places.size()) - 1].end}));
    }
  }
}

}  // namespace
}  // namespace leitong
