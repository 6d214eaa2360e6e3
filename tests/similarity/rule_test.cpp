#include "similarity/rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "feature/shingles.hpp"

namespace leitong {
namespace {

constexpr Candidate kPair{3, 8, 0, false};
constexpr Candidate kTemplatePair{3, 8, 0, true};

// The default rule as its description states it.
bool default_rule(std::size_t shared, std::size_t na, std::size_t nb, bool template_only) {
  const auto n = static_cast<double>(std::min(na, nb)), larger = static_cast<double>(std::max(na, nb));
  const double j = static_cast<double>(shared) / (n + larger - static_cast<double>(shared));
  const double c = static_cast<double>(shared) / n;
  const bool guard = n >= 64 && larger <= 256000;
  if (template_only) return j >= .60 || (guard && c >= .90);
  const double t = n <= 100 ? .35 : n >= 300 ? .40 : .35 + .05 * std::log(n / 100) / std::log(3.0);
  return j >= t || (guard && c >= .70);
}

struct Sizes {
  std::size_t na, nb;
};

Sizes random_sizes(std::mt19937& random) {
  const auto size = [&] {
    return static_cast<std::size_t>(std::exp2(std::uniform_real_distribution<>(0, 11)(random)));
  };
  return {size(), size()};
}

std::vector<Rule> rules() {
  Rule strict;
  strict.jaccard_short = .40;
  Rule jaccard;
  jaccard.measure = Measure::jaccard;
  jaccard.threshold = .5;
  Rule contained = jaccard;
  contained.measure = Measure::containment;
  contained.threshold = .8;
  return {Rule{}, strict, jaccard, contained};
}

TEST(Rule, ThresholdRisesWithTheLogarithmOfTheSize) {
  const Rule rule;
  EXPECT_EQ(rule.jaccard_at_least(1), .35);
  EXPECT_EQ(rule.jaccard_at_least(100), .35);
  EXPECT_NEAR(rule.jaccard_at_least(std::sqrt(100.0 * 300.0)), .375, 1e-12);
  EXPECT_EQ(rule.jaccard_at_least(300), .40);
  EXPECT_EQ(rule.jaccard_at_least(1e6), .40);
}

TEST(Rule, DecidesAsDescribed) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const auto [na, nb] = random_sizes(random);
    const std::size_t shared = random() % (std::min(na, nb) + 1);
    ASSERT_EQ(Rule{}.decide(kPair, shared, na, nb).has_value(), default_rule(shared, na, nb, false));
    ASSERT_EQ(Rule{}.decide(kTemplatePair, shared, na, nb).has_value(), default_rule(shared, na, nb, true));
  }
}

TEST(Rule, ReportsTheDecidingMeasureAndBothValues) {
  const auto by_jaccard = Rule{}.decide(kPair, 80, 100, 100);
  ASSERT_TRUE(by_jaccard);
  EXPECT_EQ(by_jaccard->a, 3u);
  EXPECT_EQ(by_jaccard->b, 8u);
  EXPECT_EQ(by_jaccard->measure, Measure::jaccard);
  EXPECT_FLOAT_EQ(by_jaccard->jaccard, 80.f / 120);
  EXPECT_FLOAT_EQ(by_jaccard->containment, .8f);
  EXPECT_EQ(by_jaccard->score, by_jaccard->jaccard);

  const auto by_containment = Rule{}.decide(kPair, 70, 100, 1000);
  ASSERT_TRUE(by_containment);
  EXPECT_EQ(by_containment->measure, Measure::containment);
  EXPECT_EQ(by_containment->score, by_containment->containment);
}

TEST(Rule, ContainmentNeedsLengthOnBothSides) {
  EXPECT_TRUE(Rule{}.decide(kPair, 64, 64, 256000));
  EXPECT_FALSE(Rule{}.decide(kPair, 63, 63, 1000)) << "short texts occur in long ones by quotation";
  EXPECT_FALSE(Rule{}.decide(kPair, 64, 64, 256001)) << "long texts contain much by chance";
}

TEST(Rule, TemplateEvidenceNeedsMore) {
  EXPECT_TRUE(Rule{}.decide(kPair, 50, 80, 80));
  EXPECT_FALSE(Rule{}.decide(kTemplatePair, 50, 80, 80));
  EXPECT_TRUE(Rule{}.decide(kTemplatePair, 60, 80, 80));
  EXPECT_TRUE(Rule{}.decide(kTemplatePair, 72, 80, 800));
}

TEST(Rule, ThresholdsAreInclusive) {
  EXPECT_TRUE(Rule{}.decide(kPair, 7, 20, 7));  // 7/20 = .35
  EXPECT_FALSE(Rule{}.decide(kPair, 7, 21, 7));
  EXPECT_TRUE(Rule{}.decide(kPair, 70, 100, 5000));
}

TEST(Rule, OneMeasureAloneIgnoresTheOther) {
  const Rule jaccard = rules()[2], contained = rules()[3];
  EXPECT_TRUE(jaccard.decide(kPair, 20, 30, 30));
  EXPECT_FALSE(jaccard.decide(kPair, 100, 100, 1000));
  EXPECT_TRUE(contained.decide(kPair, 100, 100, 1000));
  EXPECT_FALSE(contained.decide(kPair, 30, 30, 30)) << "the length guard holds";
}

TEST(Rule, EmptyTextsAreNotSimilarByShingles) {
  EXPECT_FALSE(Rule{}.decide(kPair, 0, 0, 0));
  EXPECT_FALSE(Rule{}.decide(kPair, 0, 0, 9));
  EXPECT_FALSE(Rule{}.reachable(0, 9));
  EXPECT_FALSE(Rule{}.shared_needed(0, 0, false));
}

TEST(Rule, ReachableIfAndOnlyIfTheBestOverlapIsAccepted) {
  std::mt19937 random(2);
  for (const Rule& rule : rules()) {
    for (int round = 0; round < 10000; ++round) {
      const auto [na, nb] = random_sizes(random);
      ASSERT_EQ(rule.reachable(na, nb), rule.decide(kPair, std::min(na, nb), na, nb).has_value());
      ASSERT_EQ(rule.reachable(na, nb), rule.reachable(nb, na));
    }
  }
}

TEST(Rule, SharedNeededIsTheSmallestAcceptedOverlap) {
  std::mt19937 random(3);
  for (const Rule& rule : rules()) {
    for (int round = 0; round < 3000; ++round) {
      const auto [na, nb] = random_sizes(random);
      for (const Candidate& candidate : {kPair, kTemplatePair}) {
        std::optional<std::size_t> smallest;
        for (std::size_t shared = 0; shared <= std::min(na, nb) && !smallest; ++shared)
          if (rule.decide(candidate, shared, na, nb)) smallest = shared;
        ASSERT_EQ(rule.shared_needed(na, nb, candidate.template_only), smallest) << na << ' ' << nb;
      }
    }
  }
}

TEST(Rule, PresetsHaveTheirDocumentedValues) {
  const Rule strict = strict_rule();
  EXPECT_FALSE(strict.decide(kPair, 54, 100, 100));  // Jaccard 0.37
  EXPECT_TRUE(strict.decide(kPair, 58, 100, 100));   // 0.41
  EXPECT_FALSE(strict.decide(kPair, 75, 100, 1000)) << "contained, but not enough";
  const Rule reuse = reuse_rule();
  EXPECT_TRUE(reuse.decide(kPair, 15, 100, 1000));
  EXPECT_FALSE(reuse.decide(kPair, 14, 100, 1000));
  EXPECT_EQ(reuse.passage_units, 60u);
}

TEST(Rule, APassageIsReachableFromTextsThatAreAsLong) {
  Rule rule = reuse_rule();
  rule.threshold = 2;  // by containment never
  const std::size_t longest = rule.passage_units;
  EXPECT_TRUE(rule.reachable(longest - kShingleUnits + 1, 1000));
  EXPECT_FALSE(rule.reachable(longest - kShingleUnits, 1000));
}

TEST(Rule, LeastShareIsTheGreatestLowerBound) {
  for (const Rule& rule : rules()) {
    double least = 1;
    for (const std::size_t na : {100u, 300u, 1000u, 3000u})
      for (const std::size_t nb : {100u, 300u, 1000u, 3000u})
        if (const auto shared = rule.shared_needed(na, nb, false))
          least = std::min(least, static_cast<double>(*shared) / static_cast<double>(std::min(na, nb)));
    EXPECT_GE(least, rule.least_share());
    EXPECT_LT(least, rule.least_share() + .01);
  }
}

TEST(Rule, LengthsNeverRefuseWhatTheAssumptionAllows) {
  std::mt19937 random(4);
  const auto shingles = [](std::size_t units) { return units == 0 ? 0 : units < 5 ? 1 : units - 4; };
  for (const Rule& rule : rules()) {
    for (int round = 0; round < 20000; ++round) {
      const auto [ua, ub] = random_sizes(random);
      const std::size_t shorter = std::min(ua, ub), longer = std::max(ua, ub);
      // The shorter text may repeat itself in any way; the longer one holds each shingle 16 times.
      const std::size_t na = 1 + random() % shingles(shorter);
      const std::size_t least = (shingles(longer) + 15) / 16;
      const std::size_t nb = least + random() % (shingles(longer) - least + 1);
      if (rule.reachable(na, nb)) {
        ASSERT_TRUE(rule.worth_verifying(ua, ub)) << ua << ' ' << ub << ' ' << na << ' ' << nb;
      }
    }
  }
}

TEST(Rule, OfLengthsAloneNoMoreIsNeededThanOfSizes) {
  std::mt19937 random(5);
  for (const Rule& rule : rules()) {
    for (int round = 0; round < 20000; ++round) {
      const auto [a, b] = random_sizes(random);
      const std::size_t shorter = std::min(a, b), longer = std::max(a, b);
      const std::size_t least = std::max(shorter, (longer + 15) / 16);
      const std::size_t nb = least + random() % (longer - least + 1);
      const auto needed = rule.shared_needed(shorter, nb, false);
      if (!needed) continue;
      const auto lower = rule.shared_needed_of_units(shorter + 4, longer + 4);
      ASSERT_TRUE(lower && *lower <= *needed) << shorter << ' ' << longer << ' ' << nb;
    }
  }
}

TEST(Rule, LengthsRefuseShortTextsAgainstLongOnes) {
  EXPECT_FALSE(Rule{}.worth_verifying(20, 4000));
  EXPECT_TRUE(Rule{}.worth_verifying(100, 4000));
  EXPECT_FALSE(Rule{}.worth_verifying(100, 40'000'000));
}

TEST(Rule, EditMeasureIsDecidedElsewhereAndReachableByLength) {
  Rule rule;
  rule.measure = Measure::edit;
  rule.threshold = .8;
  EXPECT_FALSE(rule.decide(kPair, 50, 50, 50));
  EXPECT_TRUE(rule.reachable(80, 100));
  EXPECT_FALSE(rule.reachable(79, 100));
  EXPECT_FALSE(rule.reachable(50, 100));
  EXPECT_TRUE(rule.worth_verifying(100, 80));
}

TEST(RuleOfMeasure, CountsInTextsOfAnyLength) {
  const Rule rule = rule_of_measure(Measure::containment, .8);
  EXPECT_FALSE(Rule{}.decide(kPair, 10, 10, 2'000)) << "containment says little of so short a text";
  const auto pair = rule.decide(kPair, 8, 10, 2'000);
  ASSERT_TRUE(pair) << "but it was asked for";
  EXPECT_EQ(pair->measure, Measure::containment);
  EXPECT_FALSE(rule.decide(kPair, 7, 10, 2'000));
  EXPECT_TRUE(rule.decide(kPair, 900, 1'000, 1'000'000));
}

}  // namespace
}  // namespace leitong
