#include "base/time_left.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

constexpr PlannedStage kPlan[] = {{"reading", 1}, {"matching", .5}, {"writing", .5}};

TEST(TimeLeft, AStageStandsForTheWholeRunWithoutAPlan) {
  TimeLeft left({});
  EXPECT_FALSE(left.seconds(0));
  left.note("indexing", 0, 0);
  EXPECT_FALSE(left.seconds(5)) << "nothing is done yet";
  left.note("indexing", .25, 10);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 30);
  EXPECT_DOUBLE_EQ(*left.seconds(15), 25) << "time passes without a report, too";
}

TEST(TimeLeft, WhatIsAheadTakesItsPartOfThePlan) {
  TimeLeft left(kPlan);
  left.note("reading", 0, 0);
  left.note("reading", .5, 10);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 10 + 10 + 10);
}

TEST(TimeLeft, AStageWithoutAPartTakesItsPartOfThePlan) {
  TimeLeft left(kPlan);
  left.note("reading", 0, 0);
  left.note("reading", 1, 20);
  left.note("matching", {}, 20);
  EXPECT_DOUBLE_EQ(*left.seconds(24), 6 + 10);
  EXPECT_DOUBLE_EQ(*left.seconds(50), 10) << "it is late, and writing is still ahead";
}

TEST(TimeLeft, WhatEachStageHasTakenScalesTheRest) {
  TimeLeft left(kPlan);
  left.note("reading", 0, 0);
  left.note("reading", 1, 20);
  left.note("matching", 0, 20);
  left.note("matching", .5, 40);
  // Both together take 20 + 40 seconds, and have a weight of 1.5.
  EXPECT_DOUBLE_EQ(*left.seconds(40), 20 + .5 * 60 / 1.5);
}

TEST(TimeLeft, AStageThatComesAgainOrIsNotPlannedGoesOn) {
  TimeLeft left(kPlan);
  left.note("reading", 1, 0);
  left.note("matching", {}, 20);
  left.note("reading again", {}, 24);
  left.note("reading", {}, 26);
  EXPECT_DOUBLE_EQ(*left.seconds(26), 4 + 10) << "matching has taken 6 seconds of 10";
}

}  // namespace
}  // namespace leitong
