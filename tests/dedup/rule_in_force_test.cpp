#include "dedup/rule_in_force.hpp"

#include <gtest/gtest.h>

namespace leitong {
namespace {

FindOptions with(std::string method, std::vector<std::string> params = {}) {
  FindOptions options;
  options.method = std::move(method);
  options.params = std::move(params);
  return options;
}

TEST(RuleInForce, IsTheMethodsWhereItHasAThreshold) {
  const Rule shingle = rule_in_force(with("shingle", {"k=3", "threshold=0.25"})).value();
  EXPECT_EQ(shingle.measure, Measure::jaccard);
  EXPECT_EQ(shingle.threshold, .25);
  EXPECT_EQ(shingle.shingle_units, 3u);
  const Rule within = rule_in_force(with("shingle", {"measure=containment"})).value();
  EXPECT_EQ(within.measure, Measure::containment);
  EXPECT_TRUE(within.reachable(3, 300)) << "short texts, too";
  const Rule edit = rule_in_force(with("edit")).value();
  EXPECT_EQ(edit.measure, Measure::edit);
  EXPECT_EQ(edit.threshold, .8);
}

TEST(RuleInForce, IsTheDefaultForTheOthersAndTheCallersWhereItIsGiven) {
  EXPECT_EQ(rule_in_force(with("minhash")).value(), Rule());
  FindOptions options = with("shingle");
  options.rule.jaccard_short = .40;
  EXPECT_EQ(rule_in_force(options).value(), options.rule);
}

TEST(RuleInForce, RefusesParametersThatTheMethodLacks) {
  EXPECT_FALSE(rule_in_force(with("shingle", {"mu=1"})));
}

TEST(RuleInForce, BelowTheDefaultRuleAnotherMethodFollowsIt) {
  const auto method = [](Measure measure, double threshold) {
    FindOptions options;
    options.rule.measure = measure;
    options.rule.threshold = threshold;
    return in_force(options).value().method;
  };
  EXPECT_EQ(method(Measure::containment, .15), "overlap");
  EXPECT_EQ(method(Measure::jaccard, .3), "overlap");
  EXPECT_EQ(method(Measure::jaccard, .35), "default");
  EXPECT_EQ(method(Measure::containment, .9), "overlap")
      << "a short text within a long one is not like it as a whole";
  EXPECT_EQ(method(Measure::edit, .1), "default");
  EXPECT_EQ(in_force(FindOptions()).value().method, "default");
  EXPECT_EQ(in_force({.rule = strict_rule()}).value().method, "default");
  const FindOptions reuse = in_force({.rule = reuse_rule()}).value();
  EXPECT_EQ(reuse.method, "overlap");
  EXPECT_EQ(reuse.params, std::vector<std::string>{"passages=yes"});
  EXPECT_EQ(in_force({.method = "all-pairs", .rule = reuse_rule()}).value().method, "all-pairs");
}

TEST(RuleInForce, TemplatesDoNotCountWherePassagesDo) {
  const auto ignored = [](const Rule& rule) {
    FindOptions options;
    options.rule = rule;
    return ignores_templates(options, rule).value();
  };
  EXPECT_TRUE(ignored(reuse_rule()));
  Rule containment = reuse_rule();
  containment.passage_units = 0;
  EXPECT_FALSE(ignored(containment));
}

}  // namespace
}  // namespace leitong
