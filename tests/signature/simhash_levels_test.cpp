#include "signature/simhash_levels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "signature/simhash.hpp"

namespace leitong {
namespace {

class SimhashLevels : public testing::TestWithParam<Simd> {
 protected:
  void SetUp() override {
    if (GetParam() > simd_level()) GTEST_SKIP() << "this CPU has no " << simd_name(GetParam());
  }
};

TEST_P(SimhashLevels, WorkedExample) {
  LevelSums sums;
  simhash_level_sums(std::vector<std::uint64_t>{0b100101, 0b101011}, std::vector<std::uint8_t>{4, 5}, sums,
                     GetParam());
  EXPECT_EQ(std::vector<int>(sums.begin(), sums.begin() + 6), (std::vector<int>{9, 1, -1, 1, -9, 9}));
  EXPECT_EQ(sums[63], -9);
}

TEST_P(SimhashLevels, EqualsTheSignsOfTheSumsForAnyWeights) {
  std::mt19937_64 random(1);
  for (const unsigned greatest : {1, 5, 17, 127, 255})
    for (const std::size_t count : {1, 2, 50, 51, 52, 255, 256, 257, 1000, 70'000}) {
      std::vector<std::uint64_t> hashes;
      std::vector<std::uint8_t> weights;
      std::vector<Feature> features;
      for (std::size_t i = 0; i < count; ++i) {
        // All ones in the long runs: the sums that overflow first.
        hashes.push_back(count == 70'000 ? UINT64_MAX : random());
        weights.push_back(static_cast<std::uint8_t>(count == 70'000 ? greatest : random() % (greatest + 1)));
        features.push_back({hashes.back(), static_cast<float>(weights.back())});
      }
      ASSERT_EQ(simhash_levels(hashes, weights, GetParam()), simhash(features))
          << count << " features of weight up to " << greatest;
    }
}

TEST_P(SimhashLevels, SumsDoNotOverflow) {
  const std::vector<std::uint64_t> hashes(300'000, 1);
  const std::vector<std::uint8_t> weights(hashes.size(), 255);
  LevelSums sums;
  simhash_level_sums(hashes, weights, sums, GetParam());
  EXPECT_EQ(sums[0], 300'000 * 255);
  EXPECT_EQ(sums[1], -300'000 * 255);
}

TEST_P(SimhashLevels, NothingToWeighHasNoFingerprint) {
  EXPECT_EQ(simhash_levels({}, {}, GetParam()), std::nullopt);
  EXPECT_EQ(simhash_levels(std::vector<std::uint64_t>{1}, std::vector<std::uint8_t>{0}, GetParam()),
            std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SimhashLevels, testing::Values(Simd::scalar, Simd::avx2, Simd::avx512),
                         [](const auto& param) { return std::string(simd_name(param.param)); });

TEST(Simhash128, LowerHalfIsTheShortFingerprintAndTheUpperOneIsItsOwn) {
  std::mt19937_64 random(2);
  std::vector<Feature> features;
  for (int i = 0; i < 40; ++i) features.push_back({random(), static_cast<float>(i)});
  const auto both = simhash128(features);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ((*both)[0], simhash(features));
  EXPECT_NE((*both)[0], (*both)[1]);
  EXPECT_EQ(simhash128({}), std::nullopt);
}

}  // namespace
}  // namespace leitong
