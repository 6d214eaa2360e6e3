#include "evaluate/error_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Pairs = std::vector<DocumentPair>;

TEST(ErrorPairs, OfClaimedPairsAgainstClusters) {
  const std::vector<Label> gold = {0, 0, 0, 1, 1};
  const ErrorPairs errors = error_pairs(gold, Pairs{{1, 0}, {2, 3}, {3, 2}, {4, 4}}, 10);
  EXPECT_THAT(errors.false_positives, ElementsAre(DocumentPair(2, 3)));
  EXPECT_THAT(errors.false_negatives,
              testing::UnorderedElementsAre(DocumentPair(0, 2), DocumentPair(1, 2), DocumentPair(3, 4)));
}

TEST(ErrorPairs, OfClustersAgainstClusters) {
  const std::vector<Label> gold = {0, 0, 1, 1}, result = {0, 1, 1, 2};
  const ErrorPairs errors = error_pairs(gold, result, 10);
  EXPECT_THAT(errors.false_positives, ElementsAre(DocumentPair(1, 2)));
  EXPECT_THAT(errors.false_negatives, ElementsAre(DocumentPair(0, 1), DocumentPair(2, 3)));
  EXPECT_THAT(error_pairs(gold, gold, 10).false_negatives, IsEmpty());
}

TEST(ErrorPairs, OfJudgedPairsOnlyThoseCount) {
  const std::vector<JudgedPair> judged = {{{0, 1}, true}, {{1, 2}, false}, {{3, 4}, true}};
  const ErrorPairs by_pairs = error_pairs(judged, Pairs{{2, 1}, {0, 1}, {0, 4}}, 10);
  EXPECT_THAT(by_pairs.false_positives, ElementsAre(DocumentPair(1, 2)));
  EXPECT_THAT(by_pairs.false_negatives, ElementsAre(DocumentPair(3, 4)));
  const std::vector<Label> result = {7, 7, 7, 8, 9};
  EXPECT_EQ(error_pairs(judged, result, 10).false_positives, by_pairs.false_positives);
}

TEST(ErrorPairs, AreAsManyAsPairCountsSays) {
  std::vector<Label> gold, result;
  for (std::uint32_t i = 0; i < 300; ++i) {
    gold.push_back(i * 7919 % 40);
    result.push_back(i * 104'729 % 50);
  }
  const PairCounts counts = cluster_metrics(gold, result).pairs;
  const ErrorPairs errors = error_pairs(gold, result, 100'000);
  EXPECT_EQ(errors.false_positives.size(), counts.claimed - counts.both);
  EXPECT_EQ(errors.false_negatives.size(), counts.gold - counts.both);
}

TEST(ErrorPairs, AHugeClusterCostsNoMoreThanItsMembers) {
  const std::vector<Label> gold(200'000, 0);
  const ErrorPairs errors = error_pairs(gold, Pairs{}, 100);
  EXPECT_EQ(errors.false_negatives.size(), 100U);
}

}  // namespace
}  // namespace leitong
