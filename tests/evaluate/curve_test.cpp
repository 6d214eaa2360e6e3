#include "evaluate/curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace leitong {
namespace {

/// Puts everything into one half, so that the sums can be checked by hand.
SplitGold in_one_half(const std::vector<Label>& labels, std::size_t clusters) {
  return {labels, std::vector<Half>(clusters, Half::tune)};
}

TEST(Curve, PointsByHand) {
  // Clusters {0, 1, 2} and {3, 4}: four true pairs.
  const SplitGold gold = in_one_half({0, 0, 0, 1, 1}, 2);
  const std::vector<ScoredPair> pairs = {{{0, 1}, .9f}, {{3, 4}, .7f}, {{2, 3}, .7f}, {{0, 2}, .5f}};
  const auto curve = threshold_curve(gold, pairs, std::vector<double>{.95, .8, .6, .1});
  ASSERT_EQ(curve.size(), 4u);
  EXPECT_DOUBLE_EQ(curve[0].tune.precision, 1) << "who claims nothing claims nothing wrong";
  EXPECT_DOUBLE_EQ(curve[0].tune.recall, 0);
  EXPECT_DOUBLE_EQ(curve[1].tune.recall, .25);
  EXPECT_DOUBLE_EQ(curve[2].tune.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve[2].tune.recall, .5);
  EXPECT_DOUBLE_EQ(curve[3].tune.precision, .75);
  EXPECT_DOUBLE_EQ(curve[3].tune.recall, .75);
  EXPECT_DOUBLE_EQ(curve[3].test.recall, 1) << "the other half is empty";
}

TEST(Curve, HalvesDependOnNamesAndNotOnNumbersAndShareFalsePairs) {
  std::mt19937_64 random(3);
  std::vector<Label> labels;
  std::vector<std::uint64_t> names;
  for (Label d = 0; d < 400; ++d) labels.push_back(d / 2 + 7), names.push_back(random());
  const SplitGold split = split_gold(labels, names);
  std::size_t tuned = 0;
  for (const Half half : split.half) tuned += half == Half::tune ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(tuned), 100, 4 * 7.1) << "200 clusters, fairly divided";

  // The same documents in reverse order are in the same halves.
  const std::vector<Label> turned(labels.rbegin(), labels.rend());
  const std::vector<std::uint64_t> turned_names(names.rbegin(), names.rend());
  const SplitGold again = split_gold(turned, turned_names);
  for (std::size_t d = 0; d < labels.size(); ++d)
    EXPECT_EQ(split.half[split.label[d]], again.half[again.label[labels.size() - 1 - d]]);
}

TEST(Curve, OfJudgedPairsAsksNothingOfOthersAndHalvesThem) {
  const SplitPairs gold{{{{0, 1}, true}, {{3, 2}, true}, {{4, 5}, false}, {{6, 7}, true}},
                        {Half::tune, Half::tune, Half::tune, Half::test}};
  const std::vector<ScoredPair> pairs = {{{0, 1}, .9f}, {{4, 5}, .7f}, {{2, 3}, .5f}, {{1, 7}, .9f}};
  const auto curve = threshold_curve(gold, pairs, std::vector<double>{.8, .6, .4});
  EXPECT_DOUBLE_EQ(curve[0].tune.precision, 1) << "nobody has judged 1 and 7";
  EXPECT_DOUBLE_EQ(curve[0].tune.recall, .5);
  EXPECT_DOUBLE_EQ(curve[1].tune.precision, .5);
  EXPECT_DOUBLE_EQ(curve[2].tune.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve[2].tune.recall, 1) << "in either order of the two";
  EXPECT_DOUBLE_EQ(curve[2].test.recall, 0);
  const Interval interval = bootstrap_f1(gold, pairs, .6, Half::tune);
  EXPECT_LT(interval.low, .5);
  EXPECT_GT(interval.high, .5);

  std::vector<JudgedPair> judged;
  std::vector<std::uint64_t> names;
  std::mt19937_64 random(5);
  for (std::uint32_t d = 0; d < 400; d += 2)
    judged.push_back({{d, d + 1}, true}), names.push_back(random()), names.push_back(random());
  const SplitPairs split = split_pairs(judged, names);
  EXPECT_NEAR(static_cast<double>(std::count(split.half.begin(), split.half.end(), Half::tune)), 100,
              4 * 7.1);
}

TEST(Curve, IntervalHoldsTheEstimateAndNarrowsWithMoreClusters) {
  std::mt19937_64 random(4);
  double widths[2] = {};
  for (const std::size_t clusters : {50, 5000}) {
    std::vector<Label> labels;
    std::vector<ScoredPair> pairs;
    for (Label c = 0; c < clusters; ++c) {
      labels.push_back(c);
      labels.push_back(c);
      if (random() % 10 < 8) pairs.push_back({{2 * c, 2 * c + 1}, 1});
    }
    const SplitGold gold = in_one_half(labels, clusters);
    const double f1 = threshold_curve(gold, pairs, std::vector<double>{.5})[0].tune.f1();
    const Interval interval = bootstrap_f1(gold, pairs, .5, Half::tune);
    EXPECT_LT(interval.low, f1);
    EXPECT_GT(interval.high, f1);
    widths[clusters > 100 ? 1 : 0] = interval.high - interval.low;
  }
  EXPECT_NEAR(widths[0] / widths[1], 10, 4) << "as the root of their number";
}

}  // namespace
}  // namespace leitong
