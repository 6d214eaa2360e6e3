#include "dedup/near_misses.hpp"

#include <gtest/gtest.h>

#include <random>

namespace leitong {
namespace {

RefusedPair miss(DocId a, DocId b, double closeness) { return {{a, b}, closeness}; }

std::vector<RefusedPair> kept(const std::vector<RefusedPair>& offered) {
  NearMisses misses;
  for (const RefusedPair& one : offered) misses.add(one.pair, one.closeness);
  return misses.take();
}

TEST(NearMisses, KeepsTheNearestOfManyInOrder) {
  std::mt19937 random(3);
  std::vector<RefusedPair> all;
  for (DocId i = 0; i < 20'000; ++i)
    all.push_back(miss(i, i + 1 + random() % 9, static_cast<double>(random() % 1000) / 1000));
  const auto got = kept(all);
  auto expected = all;
  std::sort(expected.begin(), expected.end(), [](const RefusedPair& x, const RefusedPair& y) {
    return std::tuple(-x.closeness, x.pair.a, x.pair.b) < std::tuple(-y.closeness, y.pair.a, y.pair.b);
  });
  ASSERT_EQ(got.size(), NearMisses::kMost);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].pair.a, expected[i].pair.a);
    EXPECT_EQ(got[i].closeness, expected[i].closeness);
  }
}

TEST(NearMisses, DoesNotDependOnTheOrder) {
  std::vector<RefusedPair> all;
  for (DocId i = 0; i < 5'000; ++i) all.push_back(miss(i, i + 1, i % 3 == 0 ? .9 : .8));
  const auto first = kept(all);
  std::shuffle(all.begin(), all.end(), std::mt19937(5));
  const auto second = kept(all);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].pair.a, second[i].pair.a);
}

TEST(NearMisses, HoldsEachPairOnce) {
  std::vector<RefusedPair> all;
  for (int i = 0; i < 3'000; ++i) all.push_back(miss(7, 8, .5));
  EXPECT_EQ(kept(all).size(), 1U);
}

}  // namespace
}  // namespace leitong
