#include "dedup/template/shingle_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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
  hits.push_back(7);  // select() must keep this element
  filter.select(inside, hits);
  ASSERT_EQ(hits.size(), 1 + inside.size());
  EXPECT_EQ(hits[0], 7U);
  EXPECT_TRUE(std::equal(inside.begin(), inside.end(), hits.begin() + 1));
  hits.clear();
  filter.select(others, hits);
  EXPECT_LT(hits.size(), others.size() / 20);
}

}  // namespace
}  // namespace leitong
