#include "index/hamming/planner.hpp"

#include <gtest/gtest.h>

#include "join_helpers.hpp"

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

}  // namespace
}  // namespace leitong::hamming
