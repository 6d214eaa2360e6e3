#include "feature/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "feature/j_tidf.hpp"
#include "feature/ngrams.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

/// A bag of the ids as they stand in a text.
Bag bag_of(const std::vector<std::uint64_t>& text) {
  std::vector<Occurrence> occurrences;
  for (const std::uint64_t id : text) occurrences.push_back({id, id * 10});
  BagScratch scratch;
  Bag bag;
  gather(occurrences, scratch, bag);
  return bag;
}
std::vector<float> weights_of(const Bag& bag, const std::vector<float>& idf, WeightScheme scheme) {
  PodVector<Weighted> weights;
  weigh(bag, idf, scheme, weights);
  std::vector<float> values;
  for (const Weighted& each : weights) values.push_back(each.weight);
  return values;
}

TEST(Bag, CountsAndPlacesByRisingId) {
  const Bag bag = bag_of({7, 3, 7, 7, 5});
  ASSERT_EQ(bag.terms.size(), 3u);
  EXPECT_EQ(bag.occurrences, 5u);
  EXPECT_EQ(bag.terms[0].id, 3u);
  EXPECT_EQ(bag.terms[0].hash, 30u);
  EXPECT_EQ(bag.terms[2].count, 3u);
  EXPECT_THAT(bag.places_of(bag.terms[2]), ElementsAre(0, 2, 3));
}

TEST(Weights, SchemesByHand) {
  const Bag bag = bag_of({1, 2, 2, 3, 3, 3, 3});  // counts 1, 2, 4
  const std::vector<float> idf = {6, 2, .5};      // tf-idf 6, 4, 2
  EXPECT_THAT(weights_of(bag, idf, WeightScheme::tf_idf), ElementsAre(6, 4, 2));
  EXPECT_THAT(weights_of(bag, idf, WeightScheme::constant), ElementsAre(1, 1, 1));
  EXPECT_THAT(weights_of(bag, idf, WeightScheme::log_tf),
              ElementsAre(1, FloatNear(1.693147f, 1e-5f), FloatNear(2.386294f, 1e-5f)));
  // 6/7, 4/7, 2/7 over sqrt(36 + 16 + 4) / 7 = sqrt(56) / 7.
  EXPECT_THAT(
      weights_of(bag, idf, WeightScheme::tfc),
      ElementsAre(FloatNear(.801784f, 1e-5f), FloatNear(.534522f, 1e-5f), FloatNear(.267261f, 1e-5f)));
  EXPECT_THAT(weights_of(bag, idf, WeightScheme::levels), ElementsAre(4, 2, 1)) << "ranks 2, 1, 0 of 3";
  EXPECT_THAT(weights_of(bag, {20, 7, .5}, WeightScheme::tf_idf_up), ElementsAre(3, 2, 1))
      << "20/7, 14/7 and 2/7";
}

TEST(Weights, TenTermsFillTheFiveLevelsEvenly) {
  std::vector<std::uint64_t> text;
  std::vector<float> idf;
  for (std::uint64_t id = 0; id < 10; ++id) text.push_back(id), idf.push_back(static_cast<float>(id + 1));
  EXPECT_THAT(weights_of(bag_of(text), idf, WeightScheme::levels), ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
}

TEST(Weights, ATermWithoutIdfIsLeftOut) {
  PodVector<Weighted> weights;
  weigh(bag_of({1, 2}), std::vector<float>{0, 3}, WeightScheme::constant, weights);
  ASSERT_EQ(weights.size(), 1u);
  EXPECT_EQ(weights[0].term, 1u);
}

TEST(Weights, TheHeaviestStayOfEqualsThatOfSmallerId) {
  const Bag bag = bag_of({1, 2, 3, 4});
  PodVector<Weighted> weights;
  weigh(bag, std::vector<float>{5, 9, 5, 5}, WeightScheme::tf_idf, weights);
  keep_heaviest(bag, 3, weights);
  EXPECT_THAT(std::vector<Weighted>(weights.begin(), weights.end()),
              ElementsAre(Weighted{1, 9}, Weighted{0, 5}, Weighted{2, 5}));
  keep_heaviest(bag, 0, weights);
  EXPECT_EQ(weights.size(), 3u) << "0 keeps all";
}

TEST(Weights, NoWeightStaysAboveSoManyMedians) {
  PodVector<Weighted> weights;
  weigh(bag_of({1, 2, 3}), std::vector<float>{100, 2, 3}, WeightScheme::tf_idf, weights);
  cap_weights(4, weights);
  EXPECT_EQ(weights[0].weight, 12);
  EXPECT_EQ(weights[1].weight, 2);
  cap_weights(0, weights);
  EXPECT_EQ(weights[0].weight, 12);
}

TEST(JTidf, TwinsWeighTogetherAsOneWord) {
  const Bag bag = bag_of({1, 2, 3});
  PodVector<Weighted> weights;
  weigh(bag, std::vector<float>{6, 6, 6}, WeightScheme::tf_idf, weights);
  // 1 and 2 always occur together; 9 is not in the document and shares nothing.
  const std::vector<Partner> of_1 = {{2, 1}, {9, 1}}, of_2 = {{1, 1}}, of_3 = {{1, .5f}};
  share_weights(std::vector<std::uint64_t>{1, 2, 3}, std::vector<std::span<const Partner>>{of_1, of_2, of_3},
                weights);
  EXPECT_EQ(weights[0].weight, 3);
  EXPECT_EQ(weights[1].weight, 3);
  EXPECT_EQ(weights[2].weight, 4) << "6 / (1 + .5)";
}

TEST(Ngrams, TheMultiplicativeHashGoesOverTheUnitsOfARun) {
  const std::vector<Unit> units = {0x661F, 0x671F, 0x56DB};
  PodVector<Occurrence> runs;
  unit_ngrams(units, 3, TermHash::codepoint, runs);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].hash, term_hash(TermHash::codepoint, "星期四"));
  EXPECT_NE(runs[0].id, runs[0].hash);
}

TEST(Ngrams, ATextOfLSymbolsHasLMinusNPlusOneRuns) {
  const std::vector<Unit> units = {1, 2, 3, 1, 2};
  PodVector<Occurrence> runs;
  unit_ngrams(units, 2, TermHash::xxh3, runs);
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].id, runs[3].id);
  EXPECT_NE(runs[0].id, runs[1].id);
  runs.clear();
  unit_ngrams(units, 9, TermHash::xxh3, runs);
  EXPECT_EQ(runs.size(), 1u) << "a short text is one run";
  runs.clear();
  unit_ngrams({}, 2, TermHash::xxh3, runs);
  EXPECT_EQ(runs.size(), 0u);
}

TEST(Ngrams, SetsAreAscendingAndDistinct) {
  PodVector<std::uint32_t> set;
  ngram_set(std::vector<Unit>{1, 2, 1, 2, 1}, 2, set);
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
}

TEST(Ngrams, WordRunsFollowTheWordsAndTheHashChosen) {
  const std::vector<Occurrence> words = {{1, 10}, {2, 20}, {1, 10}};
  PodVector<Occurrence> runs, old;
  word_ngrams(words, 2, TermHash::xxh3, runs);
  word_ngrams(words, 2, TermHash::times33, old);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_NE(runs[0].id, runs[1].id) << "order counts";
  EXPECT_EQ(old[0].id, runs[0].id);
  EXPECT_NE(old[0].hash, runs[0].hash);
}

}  // namespace
}  // namespace leitong
