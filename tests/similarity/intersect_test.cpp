#include "similarity/intersect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

std::vector<std::uint32_t> random_set(std::mt19937& random, std::size_t count, std::uint32_t range) {
  std::set<std::uint32_t> set;
  while (set.size() < count) set.insert(range == 0 ? static_cast<std::uint32_t>(random()) : random() % range);
  return {set.begin(), set.end()};
}

std::size_t expected_size(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

void expect_all_kernels_agree(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const std::size_t expected = expected_size(a, b);
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > simd_level()) continue;
    ASSERT_EQ(intersection_size(a, b, level), expected)
        << simd_name(level) << ' ' << a.size() << ' ' << b.size();
    ASSERT_EQ(intersection_size(b, a, level), expected)
        << simd_name(level) << ' ' << a.size() << ' ' << b.size();
  }
}

TEST(IntersectTest, AgreesWithTheStandardLibraryForAllSmallSizes) {
  std::mt19937 random(1);
  for (std::size_t na = 0; na < 40; ++na)
    for (std::size_t nb = 0; nb < 40; ++nb)
      expect_all_kernels_agree(random_set(random, na, 100), random_set(random, nb, 60));
}

TEST(IntersectTest, AgreesForVeryUnequalSizes) {
  std::mt19937 random(2);
  for (const std::size_t na : {1u, 3u, 17u, 100u, 1000u})
    for (const std::size_t nb : {1000u, 20000u}) {
      auto b = random_set(random, nb, 0);
      auto a = random_set(random, na, 0);
      for (std::size_t i = 0; i < na; i += 2) a[i] = b[random() % nb];
      std::sort(a.begin(), a.end());
      a.erase(std::unique(a.begin(), a.end()), a.end());
      expect_all_kernels_agree(a, b);
    }
}

TEST(IntersectTest, EqualSetsAndTheLargestValue) {
  std::mt19937 random(3);
  auto a = random_set(random, 1000, 0);
  a.back() = UINT32_MAX;
  a.front() = 0;
  expect_all_kernels_agree(a, a);
}

using Set = std::vector<std::uint32_t>;

TEST(Resemblance, ByHand) {
  const Set a = {1, 2, 3, 4}, b = {3, 4, 5};
  EXPECT_DOUBLE_EQ(resemblance(a, b), 2.0 / 5);
  EXPECT_DOUBLE_EQ(resemblance(b, a), 2.0 / 5) << "symmetric";
  EXPECT_DOUBLE_EQ(containment(a, b), .5);
  EXPECT_DOUBLE_EQ(containment(b, a), 2.0 / 3) << "not symmetric";
  EXPECT_DOUBLE_EQ(resemblance(a, a), 1);
}

TEST(Resemblance, EmptySetsAreEqualAndLikeNothingElse) {
  EXPECT_DOUBLE_EQ(resemblance({}, {}), 1);
  EXPECT_DOUBLE_EQ(resemblance({}, Set{1}), 0);
  EXPECT_DOUBLE_EQ(containment({}, Set{1}), 1);
}

}  // namespace
}  // namespace leitong
