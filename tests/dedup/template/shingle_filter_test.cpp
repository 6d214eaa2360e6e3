#include "dedup/template/shingle_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

TEST(ShingleFilter, LetsThroughWhatWasInsertedAndLittleElse) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> inside(20'000), others(20'000);
  for (auto& shingle : inside) shingle = static_cast<std::uint32_t>(random());
  for (auto& shingle : others) shingle = static_cast<std::uint32_t>(random());
  ShingleFilter filter(inside.size(), 1 << 20);
  for (const std::uint32_t shingle : inside) filter.insert(shingle);
  PodVector<std::uint32_t> hits;
  hits.push_back(7);  // what is there stays
  filter.select(inside, hits);
  ASSERT_EQ(hits.size(), 1 + inside.size());
  EXPECT_EQ(hits[0], 7U);
  EXPECT_TRUE(std::equal(inside.begin(), inside.end(), hits.begin() + 1));
  hits.clear();
  filter.select(others, hits);
  EXPECT_LT(hits.size(), others.size() / 20);
}

// What families truly hold each shingle, beside the counts.
void expect_enough(unsigned rest_bits, std::size_t expected,
                   const std::vector<std::array<std::uint32_t, 3>>& holders) {
  constexpr std::uint32_t kLeast = 8, kWanted = 3;
  FamilyCounts counts(rest_bits);
  counts.clear(1, kLeast, kWanted);
  counts.add(5, 1, true);
  counts.clear(expected, kLeast, kWanted);  // nothing of that is left
  std::map<std::uint32_t, std::set<DocId>> families;
  std::set<std::uint32_t> wanted;
  for (const auto& [shingle, family, wants] : holders) {
    counts.add(shingle, family, wants != 0);
    families[shingle].insert(family);
    if (wants != 0) wanted.insert(shingle);
  }
  for (const auto& [shingle, of] : families)
    EXPECT_TRUE(counts.may_be_of_interest(shingle) ||
                of.size() < (wanted.contains(shingle) ? kWanted : kLeast))
        << shingle;
}

TEST(FamilyCounts, NeverCountsTooLittle) {
  std::mt19937 random(2);
  for (const std::size_t expected : {1UL, 4'000UL, 100'000UL}) {
    std::vector<std::array<std::uint32_t, 3>> holders(100'000);
    for (auto& [shingle, family, wants] : holders) {
      shingle = 0x28000000U + static_cast<std::uint32_t>(random() % 20'000) * 3'000;  // of one range
      family = random() % 40;
      wants = random() % 50 == 0;
    }
    expect_enough(26, expected, holders);
  }
}

TEST(FamilyCounts, IsExactWhereFamiliesComeOneAfterTheOther) {
  FamilyCounts counts(26);
  counts.clear(1'000, 8, 3);
  for (DocId family = 0; family < 7; ++family)
    for (int copies = 0; copies < 300; ++copies) counts.add(12'345, family, false);
  EXPECT_FALSE(counts.may_be_of_interest(12'345));
  counts.add(12'345, 7, false);
  EXPECT_TRUE(counts.may_be_of_interest(12'345));
  counts.add(1U << 25, 1, true);
  counts.add(1U << 25, 2, false);
  EXPECT_FALSE(counts.may_be_of_interest(1U << 25));
  counts.add(1U << 25, 3, false);
  EXPECT_TRUE(counts.may_be_of_interest(1U << 25));  // somebody wants it
}

}  // namespace
}  // namespace leitong
