#include "evaluate/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace leitong {
namespace {

// Values by R's prop.test(hits, trials, correct = FALSE).
TEST(WilsonInterval, EqualsPublishedValues) {
  const struct {
    double hits, trials, low, high;
  } cases[] = {{4, 4, 0.5101, 1.0}, {0, 4, 0.0, 0.4899}, {5, 10, 0.2366, 0.7634}, {81, 263, 0.2553, 0.3662}};
  for (const auto& [hits, trials, low, high] : cases) {
    const Interval interval = wilson_interval(hits, trials);
    EXPECT_NEAR(interval.low, low, 5e-5) << hits << " of " << trials;
    EXPECT_NEAR(interval.high, high, 5e-5) << hits << " of " << trials;
  }
}

TEST(WilsonInterval, EndsExactlyWhereNothingOrAllWasSeen) {
  for (double trials = 1; trials < 300; trials += 1.3) {
    EXPECT_EQ(wilson_interval(trials, trials).high, 1);
    EXPECT_EQ(wilson_interval(0, trials).low, 0);
  }
}

TEST(WilsonInterval, OfNothingIsEverything) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

// The probability of a sample whose interval holds the true share, summed over all samples of 50.
TEST(WilsonInterval, HoldsTheTrueShareAsOftenAsItSays) {
  double sum = 0;
  int shares = 0;
  for (double share = .05; share < .96; share += .05, ++shares) {
    for (int hits = 0; hits <= 50; ++hits) {
      const Interval interval = wilson_interval(hits, 50);
      if (share < interval.low || share > interval.high) continue;
      sum += std::exp(std::lgamma(51) - std::lgamma(hits + 1) - std::lgamma(51 - hits) +
                      hits * std::log(share) + (50 - hits) * std::log1p(-share));
    }
  }
  EXPECT_NEAR(sum / shares, kConfidence, .01);
}

}  // namespace
}  // namespace leitong
