#include "cluster/pair_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cluster/stored.hpp"

namespace leitong {
namespace {

using testing::Stored;

bool same_documents(const VerifiedPair& x, const VerifiedPair& y) { return x.a == y.a && x.b == y.b; }

bool equal(const VerifiedPair& x, const VerifiedPair& y) {
  return same_documents(x, y) && x.jaccard == y.jaccard && x.containment == y.containment &&
         x.score == y.score && x.measure == y.measure;
}

TEST(PairStore, HoldsPairsInOrderWithAllThatIsKnownOfThem) {
  VerifiedPair by_jaccard{1, 2, .5F, .7F, .5F, Measure::jaccard, PairStanding::same_work};
  by_jaccard.own = {.3F, .4F, .25F, 1, 4'000'000'000};
  const VerifiedPair by_containment{0, 900, .1F, .95F, .95F, Measure::containment, PairStanding::aside};
  VerifiedPair by_passage{0, 4, .01F, .1F, .1F, Measure::passage, PairStanding::aside};
  by_passage.passage_units = 65'535;
  const VerifiedPair by_method{0, 3, 0, 0, .25F, Measure::estimate};
  const std::vector<VerifiedPair> list =
      Stored(1'000, {by_jaccard, by_containment, by_method, by_passage}).list();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_TRUE(equal(list[0], by_method));
  EXPECT_TRUE(equal(list[1], by_passage));
  EXPECT_EQ(list[1].standing, PairStanding::aside);
  EXPECT_EQ(list[1].passage_units, 65'535);
  EXPECT_TRUE(equal(list[2], by_containment));
  EXPECT_TRUE(equal(list[3], by_jaccard));
  EXPECT_EQ(list[2].standing, PairStanding::aside);
  EXPECT_EQ(list[2].passage_units, 0);
  EXPECT_EQ(list[3].standing, PairStanding::same_work);
  EXPECT_EQ(list[3].own.jaccard, .3F);
  EXPECT_EQ(list[3].own.containment, .4F);
  EXPECT_NEAR(list[3].own.template_share, .25F, 1e-5);
  EXPECT_EQ(list[3].own.rare_share, 1);
  EXPECT_EQ(list[3].own.families, 4'000'000'000);
}

TEST(PairStore, HoldsTheRequestedLossesOfAPair) {
  Stored stored(1'000, {{1, 2, .5F, .7F, .5F}, {1, 3, .5F, .7F, .5F}, {900, 901, .5F, .7F, .5F}});
  PairStore& store = stored;
  const Loss of_3{
      .own = 9, .lost = 1, .reworded = 2, .in_stretches = 3, .longest = 4, .longest_at = 4'000'000'000};
  const Loss of_900{.own = 5, .renamed = true}, of_901{.own = 6, .lost = 6, .other_signs = true};
  EXPECT_TRUE(store.add_loss(3, 1, of_3));
  EXPECT_TRUE(store.add_loss(901, 900, of_901));
  EXPECT_TRUE(store.add_loss(900, 901, of_900));
  EXPECT_TRUE(store.sort());
  EXPECT_TRUE(store.add_loss(3, 1, of_3));  // asked for twice
  EXPECT_TRUE(store.sort());
  std::vector<PairLosses> all;
  EXPECT_TRUE(store.for_each([&](const VerifiedPair&, const PairLosses& losses) { all.push_back(losses); }));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_FALSE(all[0].a || all[0].b);
  EXPECT_FALSE(all[1].a);
  EXPECT_EQ(all[1].b, of_3);
  EXPECT_EQ(all[2].a, of_900);
  EXPECT_EQ(all[2].b, of_901);
  EXPECT_EQ(store.size(), 3u) << "losses are no pairs";
}

TEST(PairStore, OfAPairDecidedTwiceTheMoreOrdinaryMeasureCountsThenTheHigherScore) {
  const VerifiedPair low{0, 1, .5F, .9F, .4F, Measure::jaccard}, high{0, 1, .5F, .9F, .5F, Measure::jaccard},
      contained{0, 1, .5F, .9F, .9F, Measure::containment};
  std::vector<VerifiedPair> given = {low, high, contained};
  for (int i = 0; i < 6; ++i, std::next_permutation(given.begin(), given.end(), goes_before)) {
    const std::vector<VerifiedPair> list = Stored(2, given).list();
    ASSERT_EQ(list.size(), 1u);
    EXPECT_TRUE(equal(list[0], high));
  }
}

TEST(PairStore, TakesMoreAfterItWasRead) {
  Stored stored(10, {{2, 3}, {0, 5}});
  PairStore& store = stored;
  ASSERT_TRUE(store.add({0, 4}));
  ASSERT_TRUE(store.add({2, 3}));
  ASSERT_TRUE(store.sort());
  EXPECT_EQ(store.size(), 3u);
  const std::vector<VerifiedPair> list = stored.list();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(same_documents(list[0], {0, 4}));
  EXPECT_TRUE(same_documents(list[1], {0, 5}));
  EXPECT_TRUE(same_documents(list[2], {2, 3}));
}

TEST(PairStore, IsTheSameFromDisk) {
  constexpr DocId kDocuments = 50'000;
  std::mt19937 random(1);
  std::vector<VerifiedPair> pairs;
  while (pairs.size() < 600'000) {
    const DocId a = random() % kDocuments, b = random() % kDocuments;
    if (a < b) pairs.push_back({a, b, .5F, .5F, .5F});
  }
  const std::vector<VerifiedPair> in_memory = Stored(kDocuments, pairs).list();
  const std::vector<VerifiedPair> on_disk = Stored(kDocuments, pairs, MemoryBudget::least(0)).list();
  EXPECT_TRUE(std::is_sorted(in_memory.begin(), in_memory.end(), goes_before));
  EXPECT_TRUE(std::equal(in_memory.begin(), in_memory.end(), on_disk.begin(), on_disk.end(), equal));
}

TEST(PairStore, AFailureEndsTheReading) {
  Stored stored(10, {{0, 1}, {0, 2}, {0, 3}});
  int seen = 0;
  const PairStore& store = stored;
  const Result<void> result = store.for_each([&](const VerifiedPair&) -> Result<void> {
    if (++seen == 2) return fail(ErrorCode::io, "full");
    return {};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace leitong
