#include "index/hamming/join/planner.hpp"

#include <gtest/gtest.h>

#include "index/hamming/join_helpers.hpp"

namespace leitong::hamming {
namespace {

TEST(HammingPlanner, TakesMoreAndLongerKeysForMoreFingerprints) {
  const auto sample = uniform_sample<Fingerprint64>();
  unsigned last = 0;
  for (const std::uint64_t size : {100'000ull, 10'000'000ull, 1'000'000'000ull, 100'000'000'000ull}) {
    const auto plan = choose_plan(size, 3, size, sample, Simd::avx512);
    ASSERT_TRUE(plan.has_value());
    EXPECT_GE(plan->tables[0].key_bits(), last) << size;
    last = plan->tables[0].key_bits();
  }
  EXPECT_GT(last, 20u);
}

TEST(HammingPlanner, TheCheapestOfAllPlansIsChosen) {
  std::mt19937_64 random(1);
  const auto values = crowd<Fingerprint64>(20'000, 0xffff'ffff'ffff'0000ULL, 2, random);
  const MemorySource<Fingerprint64> source{std::span<const Fingerprint64>(values)};
  const auto sample = take_sample(JoinInput<Fingerprint64>{source});
  ASSERT_TRUE(sample.has_value());
  for (const unsigned distance : {0, 1, 3, 7, 16})
    for (const std::uint64_t size : {1000ull, 10'000'000ull, 1'000'000'000ull}) {
      const auto costs = plan_costs(size, distance, size, *sample, Simd::avx2);
      const auto plan = choose_plan(size, distance, size, *sample, Simd::avx2);
      ASSERT_TRUE(plan.has_value());
      const auto chosen = std::find_if(costs.begin(), costs.end(),
                                       [&](const PlanCost& cost) { return cost.plan == plan->name; });
      ASSERT_NE(chosen, costs.end());
      EXPECT_DOUBLE_EQ(chosen->seconds(), costs.front().seconds()) << plan->name;
      EXPECT_TRUE(is_complete(*plan));
    }
}

TEST(HammingPlanner, BlocksThatAllShareAreSeenInTheSample) {
  std::mt19937_64 random(2);
  std::vector<Fingerprint64> values(20'000);
  for (auto& value : values) value = random() & 0xffff'ffff'ffff'0000ULL;
  const MemorySource<Fingerprint64> source{std::span<const Fingerprint64>(values)};
  const auto sample = take_sample(JoinInput<Fingerprint64>{source});
  ASSERT_TRUE(sample.has_value());
  EXPECT_DOUBLE_EQ(agreeing_share<Fingerprint64>(*sample, 0xffff), 1);
  EXPECT_LT(agreeing_share<Fingerprint64>(*sample, 0xffff'0000), .001);
}

TEST(HammingPlanner, PlansWithRadiiNeedAllInMemory) {
  const auto sample = uniform_sample<Fingerprint64>();
  for (const PlanCost& cost : plan_costs(1'000'000, 7, 500'000, sample, Simd::avx512)) {
    const auto plan = named_plan<Fingerprint64>(cost.plan, 7);
    ASSERT_TRUE(plan.has_value());
    for (const auto& table : plan->tables) EXPECT_EQ(table.radius, 0u) << cost.plan;
    EXPECT_EQ(cost.passes, 2u);
  }
}

/// Comparisons of a join, predicted over counted.
double predicted_over_counted(const std::vector<Fingerprint64>& values, const std::string& plan,
                              unsigned most) {
  const MemorySource<Fingerprint64> source{std::span<const Fingerprint64>(values)};
  const JoinInput<Fingerprint64> input{source};
  const auto sample = take_sample(input);
  const auto costs = plan_costs(values.size(), most, values.size(), *sample, Simd::avx512);
  const auto cost =
      std::find_if(costs.begin(), costs.end(), [&](const PlanCost& it) { return it.plan == plan; });
  const auto joined = join(input, {.distance = most, .plan = plan}, usual_context());
  if (cost == costs.end() || !joined) return 0;
  EXPECT_EQ(cost->tables, joined->figures().tables);
  return cost->compared / static_cast<double>(joined->figures().compare.compared);
}

TEST(HammingPlanner, PredictsHowManyUniformFingerprintsAreCompared) {
  std::mt19937_64 random(3);
  for (const std::size_t size : {30'000, 250'000}) {
    const auto values = crowd<Fingerprint64>(size, ~Fingerprint64{0}, 0, random);
    for (const char* plan : {"blocks4", "blocks2", "cover7_5_3", "cover8_5_3", "choose5_2"})
      EXPECT_NEAR(predicted_over_counted(values, plan, 3), 1, .1) << size << " " << plan;
    EXPECT_NEAR(predicted_over_counted(values, "cover9_7_5", 5), 1, .1) << size;
  }
}

TEST(HammingPlanner, PredictsHowManySkewedFingerprintsAreComparedFromTheSample) {
  std::mt19937_64 random(4);
  // Every bit is set in three of eight: many agree, but no bucket is so full that it is split.
  auto values = crowd<Fingerprint64>(250'000, ~Fingerprint64{0}, 0, random);
  for (Fingerprint64& value : values) value &= random() | random();
  for (const char* plan : {"blocks4", "cover7_5_3", "cover8_5_3"}) {
    const double ratio = predicted_over_counted(values, plan, 3);
    // Partitions above the average are grouped by a bit more than it.
    EXPECT_GT(ratio, .8) << plan;
    EXPECT_LT(ratio, 1.7) << plan;
  }
}

}  // namespace
}  // namespace leitong::hamming
