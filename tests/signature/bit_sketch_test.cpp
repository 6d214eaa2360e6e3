#include "leitong/bit_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

using Ones = std::vector<std::uint64_t>;
using Words = std::vector<std::uint64_t>;

Words bdr(const Ones& ones, std::size_t words) {
  Words sketch(words);
  bdr_sketch(ones, sketch);
  return sketch;
}
Words bin(const Ones& ones, std::size_t words) {
  Words sketch(words);
  bin_sketch(ones, sketch);
  return sketch;
}
Ones random_ones(std::mt19937_64& random, std::size_t count) {
  std::set<std::uint64_t> ones;
  while (ones.size() < count) ones.insert(random() % 100'000);
  return {ones.begin(), ones.end()};
}

TEST(BitSketch, ParityAndDisjunctionByHand) {
  const Words one = bdr({5}, 1);
  EXPECT_EQ(std::popcount(one[0]), 1);
  EXPECT_EQ(bin({5}, 1), one);
  EXPECT_EQ(bdr({5, 5}, 1), Words{0}) << "two ones on one place cancel";
  EXPECT_EQ(bin({5, 5}, 1), one);
  EXPECT_EQ(bdr({}, 3), Words(3));
}

TEST(BitSketch, ParityIsLinearAndNeverWidensADistance) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Ones a = random_ones(random, 1 + random() % 300), b = random_ones(random, 1 + random() % 300);
    Ones difference;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(difference));
    Words sum = bdr(a, 4);
    const Words of_b = bdr(b, 4);
    EXPECT_LE(sketch_distance(sum, of_b), difference.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= of_b[i];
    EXPECT_EQ(sum, bdr(difference, 4));
  }
}

TEST(BitSketch, EstimatesByHand) {
  EXPECT_DOUBLE_EQ(bdr_distance(0, 64), 0);
  EXPECT_NEAR(bdr_distance(1, 64), 1, 1e-12);
  EXPECT_NEAR(bin_sketch_ones(1, 64), 1, 1e-12);
  EXPECT_EQ(bdr_distance(32, 64), HUGE_VAL);
  EXPECT_EQ(bin_sketch_ones(64, 64), HUGE_VAL);
  EXPECT_EQ(bin_sketch_jaccard(Words{3}, Words{3}), 1);
  EXPECT_EQ(bin_sketch_jaccard(Words{0}, Words{0}), 1);
  EXPECT_NEAR(bin_sketch_jaccard(Words{1}, Words{2}), 0, 1e-9);
}

TEST(BitSketch, EstimatesAreNearTheTruth) {
  std::mt19937_64 random(2);
  double distance = 0, ones = 0, jaccard = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Ones all = random_ones(random, 300);
    const Ones a(all.begin(), all.begin() + 200), b(all.begin() + 100, all.end());  // J = 1/3, distance 200
    distance += bdr_distance(sketch_distance(bdr(a, 32), bdr(b, 32)), 2048);
    std::size_t set = 0;
    for (const std::uint64_t word : bin(a, 32)) set += static_cast<std::size_t>(std::popcount(word));
    ones += bin_sketch_ones(set, 2048);
    jaccard += bin_sketch_jaccard(bin(a, 32), bin(b, 32));
  }
  // The mean over 200 trials; a single estimate of 200 has a deviation of about 7.
  EXPECT_NEAR(distance / kTrials, 200, 3);
  EXPECT_NEAR(ones / kTrials, 200, 2);
  EXPECT_NEAR(jaccard / kTrials, 1.0 / 3, .01);
}

}  // namespace
}  // namespace leitong
