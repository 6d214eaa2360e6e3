#include "leitong/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace leitong {
namespace {

// Worked by hand. Truth {0 1 2} {3 4} {5}, result {0 1} {2 3 4} {5}.
// Pairs: truth 3 + 1, result 1 + 3, in common (0,1) and (3,4).
// B-cubed precision: 1, 1, 1/3, 2/3, 2/3, 1 -> 14/18; recall: 2/3, 2/3, 1/3, 1, 1, 1 -> 14/18.
// Adjusted Rand: chance 4 * 4 / 15, most 4: (2 - 16/15) / (4 - 16/15) = 14/44.
const std::vector<Label> kGold = {7, 7, 7, 2, 2, 9};
const std::vector<Label> kResult = {0, 0, 5, 5, 5, 1};

TEST(ClusterMetrics, AreWhatPaperAndPencilGive) {
  const ClusterMetrics metrics = cluster_metrics(kGold, kResult);
  EXPECT_EQ(metrics.pairs.gold, 4u);
  EXPECT_EQ(metrics.pairs.claimed, 4u);
  EXPECT_EQ(metrics.pairs.both, 2u);
  EXPECT_DOUBLE_EQ(metrics.pairs.score().precision, .5);
  EXPECT_DOUBLE_EQ(metrics.pairs.score().recall, .5);
  EXPECT_DOUBLE_EQ(metrics.pairs.score().f1(), .5);
  EXPECT_DOUBLE_EQ(metrics.b_cubed.precision, 14.0 / 18);
  EXPECT_DOUBLE_EQ(metrics.b_cubed.recall, 14.0 / 18);
  EXPECT_DOUBLE_EQ(metrics.adjusted_rand, 14.0 / 44);
  EXPECT_EQ(metrics.documents, 6u);
  EXPECT_EQ(metrics.clusters, 3u);
  EXPECT_DOUBLE_EQ(metrics.dedup_rate(), .5);
  EXPECT_DOUBLE_EQ(metrics.gold_dedup_rate(), .5);
}

TEST(ClusterMetrics, PrecisionAndRecallAreNotMixedUp) {
  const std::vector<Label> apart = {0, 1, 2, 3}, together = {0, 0, 0, 0};
  const ClusterMetrics merged = cluster_metrics(apart, together);
  EXPECT_DOUBLE_EQ(merged.pairs.score().precision, 0);
  EXPECT_DOUBLE_EQ(merged.pairs.score().recall, 1) << "nothing was there to be found";
  EXPECT_DOUBLE_EQ(merged.b_cubed.precision, .25);
  EXPECT_DOUBLE_EQ(merged.b_cubed.recall, 1);
  EXPECT_DOUBLE_EQ(merged.dedup_rate(), .75);
  EXPECT_DOUBLE_EQ(merged.gold_dedup_rate(), 0);
  const ClusterMetrics split = cluster_metrics(together, apart);
  EXPECT_DOUBLE_EQ(split.pairs.score().precision, 1) << "nothing was claimed";
  EXPECT_DOUBLE_EQ(split.pairs.score().recall, 0);
  EXPECT_DOUBLE_EQ(split.pairs.score().f1(), 0);
  EXPECT_DOUBLE_EQ(split.b_cubed.recall, .25);
}

TEST(ClusterMetrics, AnEqualResultIsPerfectForAnyLabels) {
  const std::vector<Label> renamed = {100, 100, 100, 4'000'000'000u, 4'000'000'000u, 0};
  for (const auto& result : {kGold, renamed}) {
    const ClusterMetrics metrics = cluster_metrics(kGold, result);
    EXPECT_DOUBLE_EQ(metrics.pairs.score().f1(), 1);
    EXPECT_DOUBLE_EQ(metrics.b_cubed.f1(), 1);
    EXPECT_DOUBLE_EQ(metrics.adjusted_rand, 1);
  }
}

TEST(ClusterMetrics, NothingAndOneDocumentArePerfect) {
  for (const std::vector<Label>& labels : {std::vector<Label>{}, std::vector<Label>{3}}) {
    const ClusterMetrics metrics = cluster_metrics(labels, labels);
    EXPECT_DOUBLE_EQ(metrics.pairs.score().f1(), 1);
    EXPECT_DOUBLE_EQ(metrics.b_cubed.f1(), 1);
    EXPECT_DOUBLE_EQ(metrics.adjusted_rand, 1);
    EXPECT_DOUBLE_EQ(metrics.dedup_rate(), 0);
  }
}

/// The definitions, computed over every pair of documents.
ClusterMetrics slow_metrics(const std::vector<Label>& gold, const std::vector<Label>& result) {
  ClusterMetrics metrics;
  const std::size_t n = gold.size();
  double precision = 0, recall = 0, agree = 0;
  for (std::size_t a = 0; a < n; ++a) {
    double same_result = 0, same_gold = 0, both = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const bool g = gold[a] == gold[b], r = result[a] == result[b];
      same_gold += g;
      same_result += r;
      both += g && r;
      if (b <= a) continue;
      metrics.pairs.gold += g;
      metrics.pairs.claimed += r;
      metrics.pairs.both += g && r;
      agree += g == r;
    }
    precision += both / same_result / static_cast<double>(n);
    recall += both / same_gold / static_cast<double>(n);
  }
  metrics.b_cubed = {precision, recall};
  // Adjusted Rand from the plain Rand index and its expectation under the same cluster sizes.
  const double all = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  const auto g = static_cast<double>(metrics.pairs.gold), r = static_cast<double>(metrics.pairs.claimed);
  const double rand = agree / all, expected = (g * r + (all - g) * (all - r)) / (all * all);
  metrics.adjusted_rand = expected == 1 ? 1 : (rand - expected) / (1 - expected);
  return metrics;
}

TEST(ClusterMetrics, AgreeWithTheEnumerationOfAllPairs) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 5 + random() % 60;
    const std::uint32_t gold_labels = 2 + random() % 10, result_labels = 2 + random() % 10;
    std::vector<Label> gold(n), result(n);
    for (std::size_t d = 0; d < n; ++d) {
      gold[d] = random() % gold_labels;
      result[d] = random() % 3 == 0 ? random() % result_labels : gold[d];
    }
    const ClusterMetrics fast = cluster_metrics(gold, result), slow = slow_metrics(gold, result);
    ASSERT_EQ(fast.pairs.gold, slow.pairs.gold);
    ASSERT_EQ(fast.pairs.claimed, slow.pairs.claimed);
    ASSERT_EQ(fast.pairs.both, slow.pairs.both);
    ASSERT_NEAR(fast.b_cubed.precision, slow.b_cubed.precision, 1e-12);
    ASSERT_NEAR(fast.b_cubed.recall, slow.b_cubed.recall, 1e-12);
    ASSERT_NEAR(fast.adjusted_rand, slow.adjusted_rand, 1e-9);

    std::vector<DocumentPair> claimed;
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = a; b < n; ++b)
        if (result[a] == result[b])
          claimed.push_back(random() % 2 == 0 ? DocumentPair(a, b) : DocumentPair(b, a));
    claimed.insert(claimed.end(), claimed.begin(), claimed.begin() + 3);
    std::shuffle(claimed.begin(), claimed.end(), random);
    const PairCounts from_pairs = pair_metrics(gold, claimed);
    ASSERT_EQ(from_pairs.gold, slow.pairs.gold);
    ASSERT_EQ(from_pairs.claimed, slow.pairs.claimed) << "repeated pairs and (x, x) don't count";
    ASSERT_EQ(from_pairs.both, slow.pairs.both);
  }
}

TEST(ClusterMetrics, AClusterOfAMillionIsCountedWithoutListingItsPairs) {
  const std::vector<Label> one(1'000'000, 4);
  std::vector<Label> two(one);
  two[0] = 5;
  const ClusterMetrics metrics = cluster_metrics(one, two);
  EXPECT_EQ(metrics.pairs.gold, 499'999'500'000u);
  EXPECT_EQ(metrics.pairs.claimed, 499'998'500'001u);
  EXPECT_EQ(metrics.pairs.both, metrics.pairs.claimed);
}

TEST(PairMetrics, CountClaimsAgainstTrueClusters) {
  const PairCounts counts = pair_metrics(kGold, {{1, 0}, {0, 1}, {2, 3}, {4, 4}, {0, 2}});
  EXPECT_EQ(counts.claimed, 3u);
  EXPECT_EQ(counts.gold, 4u);
  EXPECT_EQ(counts.both, 2u);
}

TEST(JudgedMetrics, AskOnlyAboutJudgedPairs) {
  const std::vector<JudgedPair> judged = {
      {{0, 1}, true}, {{2, 3}, true}, {{5, 4}, false}, {{6, 7}, false}, {{8, 9}, false}};
  const std::vector<DocumentPair> claimed = {{1, 0}, {4, 5}, {0, 9}, {3, 9}};
  const std::vector<Label> labels = {0, 0, 2, 3, 4, 4, 6, 7, 8, 9};
  for (const JudgedCounts& counts : {judged_metrics(judged, claimed), judged_metrics(judged, labels)}) {
    EXPECT_EQ(counts.same, 2u);
    EXPECT_EQ(counts.different, 3u);
    EXPECT_EQ(counts.claimed_same, 1u);
    EXPECT_EQ(counts.claimed_different, 1u);
    EXPECT_DOUBLE_EQ(counts.accuracy(), 3.0 / 5);
    EXPECT_DOUBLE_EQ(counts.pairs().score().precision, .5);
    EXPECT_DOUBLE_EQ(counts.pairs().score().recall, .5);
  }
}

}  // namespace
}  // namespace leitong
