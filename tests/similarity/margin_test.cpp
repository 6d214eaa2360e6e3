#include "similarity/margin.hpp"

#include <gtest/gtest.h>

#include "feature/shingles.hpp"
#include "similarity/noise.hpp"

namespace leitong {
namespace {

VerifiedPair pair(Measure measure, float jaccard, float containment) {
  return {0, 1, jaccard, containment, measure == Measure::containment ? containment : jaccard, measure};
}

TEST(Margin, IsThatOfTheMeasureByWhichThePairIsMostSimilar) {
  const auto by_jaccard = margin_of(Rule{}, pair(Measure::jaccard, .45F, .71F), 80, 80);
  ASSERT_TRUE(by_jaccard);
  EXPECT_EQ(by_jaccard->measure, Measure::jaccard);
  EXPECT_NEAR(by_jaccard->over(), .10, 1e-6);
  const auto by_containment = margin_of(Rule{}, pair(Measure::jaccard, .36F, .90F), 80, 80);
  ASSERT_TRUE(by_containment);
  EXPECT_EQ(by_containment->measure, Measure::containment);
  EXPECT_NEAR(by_containment->over(), .20, 1e-6);
}

TEST(Margin, ContainmentDoesNotCountForShortTexts) {
  const auto margin = margin_of(Rule{}, pair(Measure::jaccard, .36F, .99F), 30, 80);
  ASSERT_TRUE(margin);
  EXPECT_EQ(margin->measure, Measure::jaccard);
}

TEST(Margin, SharesItsBarWithTheDecision) {
  // Pairs that decide() accepts have no margin below 0, and refused ones have none above.
  const Rule rule;
  for (std::size_t na = 20; na < 400; na += 37)
    for (std::size_t nb = na; nb < 800; nb += 91)
      for (std::size_t shared = 1; shared <= na; ++shared) {
        const auto margin = margin_of(rule, measured({0, 1}, shared, na, nb), na, nb);
        ASSERT_TRUE(margin);
        if (rule.decide({0, 1}, shared, na, nb))
          EXPECT_GT(margin->over(), -1e-6);
        else
          EXPECT_LT(margin->over(), 1e-6);
      }
}

TEST(Margin, IsToTheThresholdOfASingleMeasure) {
  Rule rule;
  rule.measure = Measure::edit;
  rule.threshold = .8;
  const auto margin = margin_of(rule, {0, 1, 0, 0, .9F, Measure::edit}, 10, 10);
  ASSERT_TRUE(margin);
  EXPECT_EQ(margin->measure, Measure::edit);
  EXPECT_NEAR(margin->over(), .1, 1e-6);
}

TEST(Margin, OfATextWithNoiseIsThatOfItsLetters) {
  const auto margin = margin_of(Rule{}, {0, 1, .2F, .3F, .8F, Measure::edit}, 80, 80);
  ASSERT_TRUE(margin);
  EXPECT_EQ(margin->measure, Measure::edit);
  EXPECT_NEAR(margin->over(), .8 - NoiseRule::kLetters, 1e-6);
}

TEST(Margin, OfWhatNoRuleDecidedThereIsNone) {
  EXPECT_FALSE(margin_of(Rule{}, pair(Measure::identical, 1, 1), 80, 80));
  EXPECT_FALSE(margin_of(Rule{}, pair(Measure::estimate, .5F, .5F), 80, 80));
}

}  // namespace
}  // namespace leitong
