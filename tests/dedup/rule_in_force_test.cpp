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

}  // namespace
}  // namespace leitong
