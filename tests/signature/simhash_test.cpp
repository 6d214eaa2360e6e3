#include "signature/simhash.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace leitong {
namespace {

using testing::ElementsAre;

std::vector<Feature> random_features(std::mt19937_64& random, std::size_t count) {
  std::vector<Feature> features(count);
  for (Feature& feature : features) {
    feature.hash = random();
    feature.weight = static_cast<float>(random() % 1000) / 64;
  }
  return features;
}

TEST(Simhash, WorkedExampleOfTwoSixBitHashes) {
  const std::vector<Feature> features = {{0b100101, 4}, {0b101011, 5}};
  std::vector<double> sums(6);
  simhash_sums(features, sums);
  std::reverse(sums.begin(), sums.end());  // most significant bit first, as numbers are read
  EXPECT_THAT(sums, ElementsAre(9, -9, 1, -1, 1, 9));
  std::reverse(sums.begin(), sums.end());
  EXPECT_EQ(simhash_signs(sums), 0b101011u);
}

TEST(Simhash, OneFeatureIsItsOwnFingerprint) {
  const std::vector<Feature> features = {{0x0123456789abcdefULL, .5f}};
  EXPECT_EQ(simhash(features), 0x0123456789abcdefULL);
}

TEST(Simhash, QuickVersionEqualsSignsOfSums) {
  std::mt19937_64 random(1);
  for (std::size_t count = 1; count < 200; ++count) {
    auto features = random_features(random, count);
    if (count % 3 == 0)  // equal weights: many sums are exactly zero
      for (Feature& feature : features) feature.weight = 1;
    features[0].weight += 1;
    std::array<double, kSimhashBits> sums;
    simhash_sums(features, sums);
    for (const Simd level : {Simd::scalar, std::min(Simd::avx512, simd_level())})
      ASSERT_EQ(simhash(features, level), simhash_signs(sums)) << count << " features";
  }
}

TEST(Simhash, NothingToWeighHasNoFingerprint) {
  EXPECT_EQ(simhash({}), std::nullopt);
  const std::vector<Feature> weightless = {{42, 0}, {43, 0}};
  EXPECT_EQ(simhash(weightless), std::nullopt);
}

TEST(Simhash, TiesAreNeitherAllOnesNorAllZeros) {
  const std::vector<Feature> opposites = {{0x00000000ffffffffULL, 1}, {0xffffffff00000000ULL, 1}};
  const auto fingerprint = simhash(opposites);
  ASSERT_TRUE(fingerprint.has_value());
  EXPECT_EQ(std::popcount(*fingerprint), 32);
  EXPECT_EQ(simhash(opposites), fingerprint);
}

TEST(Simhash, TiesAreZerosIfRequested) {
  std::mt19937_64 random(9);
  for (std::size_t count = 2; count < 40; count += 2) {
    auto features = random_features(random, count);
    for (Feature& feature : features) feature.weight = 1;
    std::array<double, kSimhashBits> sums;
    simhash_sums(features, sums);
    std::uint64_t above_zero = 0;
    for (unsigned bit = 0; bit < kSimhashBits; ++bit) above_zero |= std::uint64_t{sums[bit] > 0} << bit;
    for (const Simd level : {Simd::scalar, std::min(Simd::avx512, simd_level())})
      ASSERT_EQ(simhash(features, level, Ties::zero), above_zero) << count << " features";
    EXPECT_NE(simhash(features), above_zero) << "some sums are zero";
    EXPECT_EQ((*simhash128(features, Ties::zero))[0], above_zero);
  }
}

TEST(Simhash, ScaleAndOrderOfWeightsThatAreWholeNumbersChangeNothing) {
  std::mt19937_64 random(2);
  auto features = random_features(random, 50);
  for (Feature& feature : features) feature.weight = static_cast<float>(1 + random() % 9);
  const auto fingerprint = simhash(features);
  std::shuffle(features.begin(), features.end(), random);
  EXPECT_EQ(simhash(features), fingerprint);
  for (Feature& feature : features) feature.weight *= 8;
  EXPECT_EQ(simhash(features), fingerprint);
}

TEST(Simhash, UnrelatedDocumentsDifferInHalfTheBits) {
  std::mt19937_64 random(3);
  constexpr int kTrials = 2000;
  double different = 0;
  for (int trial = 0; trial < kTrials; ++trial)
    different += std::popcount(*simhash(random_features(random, 20)) ^ *simhash(random_features(random, 20)));
  // 4 standard errors of the mean of kTrials draws from 64 fair bits.
  EXPECT_NEAR(different / kTrials, 32, 4 * 4 / std::sqrt(kTrials));
}

TEST(Simhash, FewerSharedFeaturesMeanMoreBits) {
  std::mt19937_64 random(4);
  double previous = 0;
  for (std::size_t changed : {1, 5, 20, 60}) {
    double different = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const auto features = random_features(random, 100);
      auto edited = features;
      for (std::size_t i = 0; i < changed; ++i) edited[i].hash = random();
      different += std::popcount(*simhash(features) ^ *simhash(edited));
    }
    EXPECT_GT(different, previous) << changed << " of 100 features changed";
    previous = different;
  }
}

}  // namespace
}  // namespace leitong
