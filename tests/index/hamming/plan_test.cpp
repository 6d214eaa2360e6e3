#include "index/hamming/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace leitong::hamming {
namespace {

using ::testing::Contains;

template <class F>
class HammingPlan : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingPlan, Widths);

TYPED_TEST(HammingPlan, EveryNamedPlanFindsEveryDifference) {
  std::mt19937_64 random(1);
  for (const unsigned distance : {0, 1, 2, 3, 4, 5, 7, 10})
    for (const std::string& name : plan_names<TypeParam>(distance, 24)) {
      const auto plan = named_plan<TypeParam>(name, distance);
      ASSERT_TRUE(plan.has_value()) << name << ": " << plan.error().message;
      EXPECT_TRUE(is_complete(*plan)) << name << " at distance " << distance;
      // Checked again by a method that shares nothing with is_complete().
      for (int trial = 0; trial < 500; ++trial) {
        TypeParam difference{};
        for (unsigned i = 0; i < distance; ++i)
          difference = difference | single_bit<TypeParam>(static_cast<unsigned>(random() % kBits<TypeParam>));
        bool found = false;
        for (const auto& table : plan->tables) found = found || table.finds(difference);
        ASSERT_TRUE(found) << name << " at distance " << distance;
      }
    }
}

TYPED_TEST(HammingPlan, OnePlanLessATableMisses) {
  for (const char* name : {"blocks4", "blocks3", "blocks2", "choose5_2", "cover7_5_3", "cover6_4_3"}) {
    auto plan = named_plan<TypeParam>(name, 3);
    ASSERT_TRUE(plan.has_value()) << name;
    plan->tables.pop_back();
    EXPECT_FALSE(is_complete(*plan)) << name;
  }
}

struct Shape {
  const char* name;
  std::size_t tables;
  unsigned least_bits, most_bits;
};

TEST(HammingPlan64, HasTheTablesOfTheLiterature) {
  for (const Shape& shape :
       {Shape{"blocks4", 4, 16, 16}, Shape{"choose5_2", 10, 25, 26}, Shape{"cover7_5_3", 5, 18, 19},
        Shape{"cover6_4_3", 6, 21, 22}, Shape{"cover8_5_3", 8, 24, 24}, Shape{"cover8_4_3", 14, 32, 32},
        Shape{"choose6_3", 20, 31, 33}, Shape{"blocks2", 2, 32, 32}}) {
    const auto plan = named_plan<Fingerprint64>(shape.name, 3);
    ASSERT_TRUE(plan.has_value()) << shape.name;
    EXPECT_EQ(plan->tables.size(), shape.tables) << shape.name;
    for (const auto& table : plan->tables) {
      EXPECT_GE(table.key_bits(), shape.least_bits) << shape.name;
      EXPECT_LE(table.key_bits(), shape.most_bits) << shape.name;
    }
    EXPECT_THAT(plan_names<Fingerprint64>(3, 20), Contains(shape.name));
  }
}

TEST(HammingPlan64, RadiiOfGeneralPigeonholeAddUp) {
  const auto plan = named_plan<Fingerprint64>("blocks4", 7);
  ASSERT_TRUE(plan.has_value());
  for (const auto& table : plan->tables) EXPECT_EQ(table.radius, 1u);
  const auto uneven = named_plan<Fingerprint64>("blocks3", 3);
  ASSERT_TRUE(uneven.has_value());
  EXPECT_EQ(uneven->tables[0].radius, 1u);
  EXPECT_EQ(uneven->tables[1].radius, 0u);
  EXPECT_EQ(uneven->tables[2].radius, 0u);
}

TEST(HammingPlan64, ANameThatDoesNotFitSaysWhatDoes) {
  for (const char* name : {"", "blocks5", "blocks0", "choose5_3", "cover7_5_2", "cover7_6_3", "blocks", "4",
                           "cover7_5", "blocks99999999999"}) {
    const auto plan = named_plan<Fingerprint64>(name, 3);
    ASSERT_FALSE(plan.has_value()) << name;
    EXPECT_EQ(plan.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(plan.error().message.find("blocks4"), std::string::npos) << plan.error().message;
  }
  EXPECT_FALSE(named_plan<Fingerprint64>("scan", kMaxDistance + 1).has_value());
}

TEST(HammingPlan64, BlocksAreDisjointAndEqual) {
  const auto blocks = cut_into_blocks<Fingerprint64>(0x0fff'ffff'0000'00ffULL, 5);
  Fingerprint64 all = 0;
  for (const auto block : blocks) {
    EXPECT_EQ(all & block, 0u);
    EXPECT_GE(count_ones(block), 7u);
    EXPECT_LE(count_ones(block), 8u);
    all |= block;
  }
  EXPECT_EQ(all, 0x0fff'ffff'0000'00ffULL);
}

}  // namespace
}  // namespace leitong::hamming
