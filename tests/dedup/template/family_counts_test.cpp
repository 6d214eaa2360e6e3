#include "dedup/template/family_counts.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace leitong {
namespace {

TEST(FamilyCounts, NeverCountsTooLittleForAnyOrderAndSize) {
  std::mt19937 random(2);
  FamilyCounts counts;
  for (const std::size_t expected : {1UL, 4'000UL, 100'000UL}) {
    counts.clear(expected);  // must remove all counts of the last use
    std::map<std::uint32_t, std::set<DocId>> families;
    std::set<std::uint32_t> wanted;
    for (int i = 0; i < 100'000; ++i) {
      const auto shingle = static_cast<std::uint32_t>(random() % 20'000) * 3'000;
      const auto family = static_cast<DocId>(random() % 40);
      const bool is_wanted = random() % 50 == 0;
      counts.insert(shingle, family, is_wanted);
      families[shingle].insert(family);
      if (is_wanted) wanted.insert(shingle);
    }
    for (const auto& [shingle, of] : families) {
      const FamilyCounts::Count* count = counts.find(shingle);
      ASSERT_NE(count, nullptr) << shingle;
      EXPECT_EQ(count->shingle, shingle);
      EXPECT_GE(count->families(), of.size());
      EXPECT_EQ(count->wanted, wanted.contains(shingle));
      EXPECT_EQ(counts.find(shingle + 1), nullptr);
    }
  }
}

TEST(FamilyCounts, IsExactWhereFamiliesComeOneAfterTheOther) {
  FamilyCounts counts;
  counts.clear(10);
  for (DocId family = 0; family < 7; ++family)
    for (int documents = 0; documents < 300; ++documents) counts.insert(12'345, family, false);
  EXPECT_EQ(counts.find(12'345)->families(), 7U);
  counts.find(12'345)->add(6);
  counts.find(12'345)->add(9);
  counts.find(12'345)->alone += 5;
  EXPECT_EQ(counts.find(12'345)->families(), 13U);
}

TEST(FamilyCounts, EveryNumberIsAShingle) {
  FamilyCounts counts;
  counts.clear(0);
  for (const std::uint32_t shingle : {0U, UINT32_MAX}) {
    EXPECT_EQ(counts.find(shingle), nullptr);
    counts.insert(shingle, 0, false);
    EXPECT_EQ(counts.find(shingle)->families(), 1U);
  }
}

}  // namespace
}  // namespace leitong
