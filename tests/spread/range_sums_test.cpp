#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "made_up_texts.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {
namespace {

using testing::Random;

constexpr std::int64_t kTexts = 50;

std::int64_t number(std::uint64_t text) {
  return (static_cast<std::int64_t>(text) - kTexts / 2) * 1'000'000'007;
}

// What several ranges say of some pairs, in any order.
std::vector<KeysOfPair> some_pairs() {
  Random random(4);
  std::vector<KeysOfPair> pairs;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t text = 1 + random.below(kTexts - 1);
    KeysOfPair& pair = pairs.emplace_back();
    pair.text = number(text);
    pair.leader = number(random.below(text));
    for (std::uint32_t& shared : pair.shared)
      shared = static_cast<std::uint32_t>(random.below(2) * random.below(300));
    pair.stars = random.below(10) == 0;
  }
  return pairs;
}

std::map<std::pair<std::int64_t, std::int64_t>, KeysOfPair> added(std::span<const KeysOfPair> pairs) {
  std::map<std::pair<std::int64_t, std::int64_t>, KeysOfPair> sums;
  for (const KeysOfPair& pair : pairs) {
    KeysOfPair& sum = sums[{pair.text, pair.leader}];
    for (std::size_t c = 0; c < 6; ++c) sum.shared[c] += pair.shared[c];
    sum.stars += pair.stars;
  }
  return sums;
}

TEST(RangeSums, OfPairsAreThoseOfAMap) {
  const std::vector<KeysOfPair> pairs = some_pairs(), made = sum_pairs(pairs);
  const auto expected = added(pairs);
  ASSERT_EQ(made.size(), expected.size());
  auto at = made.begin();
  for (const auto& [ends, sum] : expected) {
    EXPECT_EQ(std::pair(at->text, at->leader), ends);
    EXPECT_EQ(at->shared, sum.shared);
    EXPECT_EQ(at->stars, sum.stars);
    ++at;
  }
  EXPECT_TRUE(sum_pairs({}).empty());
}

class Judged : public ::testing::Test {
 protected:
  Judged() {
    Random random(7);
    for (std::uint64_t text = 0; text < kTexts; ++text) {
      const auto units = static_cast<std::uint32_t>(20 + random.below(600));
      texts.push_back({number(text), units, {units / 4, units / 16}});
      for (int range = 0; range < 3; ++range) {
        TallyOfText& of = tallies.emplace_back();
        of.text = number(text);
        for (KeyTally& tally : of.tallies) {
          tally.shared = static_cast<std::uint32_t>(random.below(5));
          tally.hot = static_cast<std::uint32_t>(random.below(2));
          for (std::uint32_t& weight : tally.weight) weight = static_cast<std::uint32_t>(random.below(400));
        }
      }
    }
    std::ranges::reverse(tallies);
  }

  const Steps steps = Steps::open({}).value();
  std::vector<TextKeys> texts;
  std::vector<TallyOfText> tallies;
};

TEST_F(Judged, TextsHaveTheWeightOfTheirSums) {
  tallies.pop_back();  // of the first text; it has two more
  const std::vector<TextWorth> worth = steps.weigh_range(tallies, texts).value();
  ASSERT_EQ(worth.size(), texts.size());
  for (std::size_t i = 0; i < worth.size(); ++i) {
    std::array<KeyTally, 2> sum;
    for (const TallyOfText& of : tallies)
      for (std::size_t tier = 0; of.text == texts[i].text && tier < 2; ++tier) {
        sum[tier].shared += of.tallies[tier].shared;
        sum[tier].hot += of.tallies[tier].hot;
        for (std::size_t c = 0; c < 6; ++c) sum[tier].weight[c] += of.tallies[tier].weight[c];
      }
    const TextWeight expected = steps.weigh(texts[i].keys, sum);
    EXPECT_EQ(worth[i].text, texts[i].text);
    EXPECT_EQ(worth[i].units, texts[i].units);
    EXPECT_EQ(worth[i].weight.rarity, expected.rarity);
    EXPECT_EQ(worth[i].weight.last_class, expected.last_class);
    EXPECT_EQ(worth[i].weight.common, expected.common);
    EXPECT_EQ(worth[i].weight.frame, expected.frame);
  }
  texts.erase(texts.begin() + 3);
  EXPECT_EQ(steps.weigh_range(tallies, texts).error().code, ErrorCode::invalid_argument);
}

TEST_F(Judged, PairsAreThoseThatJudgeFinds) {
  const std::vector<TextWorth> worth = steps.weigh_range(tallies, texts).value();
  const std::span<const TextWorth> all = worth;
  const std::vector<std::span<const TextWorth>> parts = {all.first(20), {}, all.subspan(20)};
  const std::vector<KeysOfPair> pairs = some_pairs();
  const std::vector<LikelyPair> made = steps.judge_range(pairs, parts).value();
  auto at = made.begin();
  for (const auto& [ends, sum] : added(pairs)) {
    PairEvidence evidence{.shared = sum.shared, .stars = static_cast<std::uint32_t>(sum.stars)};
    for (const auto& [end, text] : {std::pair(0, ends.first), std::pair(1, ends.second)}) {
      const TextWorth& of = *std::ranges::find(worth, text, &TextWorth::text);
      evidence.units[end] = of.units;
      evidence.weights[end] = of.weight;
    }
    const auto expected = steps.judge(evidence);
    if (!expected) continue;
    ASSERT_NE(at, made.end());
    EXPECT_EQ(std::pair(at->text, at->leader), ends);
    EXPECT_EQ(at->worth.score, expected->score);
    EXPECT_EQ(at->worth.template_only, expected->template_only);
    EXPECT_EQ(at->worth.frame, expected->frame);
    ++at;
  }
  EXPECT_EQ(at, made.end());
  EXPECT_GT(made.size(), 10u);
  EXPECT_LT(made.size(), added(pairs).size());
  EXPECT_EQ(steps.judge_range(pairs, std::span(parts).first(1)).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::spread
