#include "similarity/shingle_places.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace leitong {
namespace {

TEST(ShinglePlaces, IsTheFirstPlaceOrNone) {
  const std::vector<std::uint32_t> shingles = {7, 0, 7, UINT32_MAX};
  const ShinglePlaces places(shingles);
  EXPECT_EQ(places.first_of(0), 1u);
  EXPECT_EQ(places.first_of(UINT32_MAX), 3u);
  EXPECT_EQ(places.first_of(7), 0u);
  EXPECT_FALSE(places.is_single(0));
  EXPECT_TRUE(places.contains(7));
  EXPECT_EQ(places.first_of(8), ShinglePlaces::kNowhere);
  EXPECT_FALSE(places.contains(8));
}

TEST(ShinglePlaces, OfAnEmptyTextHoldsNothing) {
  EXPECT_FALSE(ShinglePlaces(std::vector<std::uint32_t>()).contains(0));
}

TEST(ShinglePlaces, IsAMapOfTheHashesHoweverTheyLie) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    // Few distinct values, and some that share a place of the table.
    std::vector<std::uint32_t> shingles(random() % 300);
    for (std::uint32_t& shingle : shingles)
      shingle = random() % 2 == 0 ? random() % 64 : 0xFFFF'FF00u + random() % 256;
    std::map<std::uint32_t, std::vector<std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < shingles.size(); ++i) expected[shingles[i]].push_back(i);
    const ShinglePlaces places(shingles);
    for (std::uint32_t i = 0; i < shingles.size(); ++i)
      ASSERT_EQ(places.is_single(i), expected[shingles[i]].size() == 1);
    for (const std::uint32_t base : {0u, 0xFFFF'FF00u})
      for (std::uint32_t value = base; value < base + 100; ++value) {
        const auto found = expected.find(value);
        ASSERT_EQ(places.first_of(value),
                  found == expected.end() ? ShinglePlaces::kNowhere : found->second.front());
      }
  }
}

}  // namespace
}  // namespace leitong
