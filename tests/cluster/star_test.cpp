#include "cluster/star.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "cluster/kinship.hpp"
#include "cluster/stored.hpp"

namespace leitong {
namespace {

VerifiedPair pair_of(DocId a, DocId b, float score = 1) {
  return {.a = std::min(a, b), .b = std::max(a, b), .score = score};
}

std::vector<std::uint32_t> in_order(std::size_t documents) {
  std::vector<std::uint32_t> rank(documents);
  std::iota(rank.begin(), rank.end(), 0u);
  return rank;
}

std::vector<Decision> stars_of(std::size_t documents, const std::vector<VerifiedPair>& pairs,
                               const std::vector<std::uint32_t>& rank, DocId protected_count = 0) {
  return star_clusters(documents, testing::Stored(documents, pairs), rank, protected_count).value();
}

std::vector<DocId> components_of(std::size_t documents, const std::vector<VerifiedPair>& pairs) {
  return connected_components(documents, testing::Stored(documents, pairs)).value();
}

std::vector<DocId> kept_of(std::span<const Decision> decisions) {
  std::vector<DocId> kept;
  for (const Decision& decision : decisions) kept.push_back(decision.kept);
  return kept;
}

constexpr DocId kNone = kNoDocument;

/// The definition, implemented directly: O(d * p).
std::vector<DocId> slow_star(std::size_t documents, std::span<const VerifiedPair> pairs,
                             std::span<const std::uint32_t> rank, DocId protected_count) {
  std::vector<DocId> order(documents);
  std::iota(order.begin(), order.end(), DocId{0});
  std::sort(order.begin(), order.end(), [&](DocId x, DocId y) {
    return std::pair(x >= protected_count, rank[x]) < std::pair(y >= protected_count, rank[y]);
  });
  std::vector<DocId> kept(documents, kNone);
  for (const DocId stays : order) {
    if (kept[stays] != kNone && kept[stays] != stays) continue;
    for (const VerifiedPair& pair : pairs) {
      if (pair.a != stays && pair.b != stays) continue;
      const DocId other = pair.a == stays ? pair.b : pair.a;
      if (other < protected_count || kept[other] != kNone) continue;
      kept[other] = stays;
      kept[stays] = stays;
    }
  }
  return kept;
}

std::vector<DocId> slow_components(std::size_t documents, std::span<const VerifiedPair> pairs) {
  std::vector<DocId> label = in_order(documents);
  for (bool changed = true; changed;) {
    changed = false;
    for (const VerifiedPair& pair : pairs) {
      const DocId low = std::min(label[pair.a], label[pair.b]);
      changed |= label[pair.a] != low || label[pair.b] != low;
      label[pair.a] = label[pair.b] = low;
    }
  }
  return label;
}

TEST(Star, DocumentsWithoutPairsAreSingles) {
  EXPECT_EQ(kept_of(stars_of(3, {}, in_order(3))), (std::vector<DocId>{kNone, kNone, kNone}));
  EXPECT_TRUE(stars_of(0, {}, {}).empty());
}

TEST(Star, AChainIsNotMerged) {
  const std::vector<VerifiedPair> chain = {pair_of(0, 1), pair_of(1, 2), pair_of(2, 3), pair_of(3, 4)};
  EXPECT_EQ(kept_of(stars_of(5, chain, in_order(5))), (std::vector<DocId>{0, 0, 2, 2, kNone}));
  EXPECT_EQ(components_of(5, chain), (std::vector<DocId>{0, 0, 0, 0, 0}));
}

TEST(Star, TheBestRankedStays) {
  const std::vector<VerifiedPair> triangle = {pair_of(0, 1), pair_of(1, 2), pair_of(0, 2)};
  EXPECT_EQ(kept_of(stars_of(3, triangle, std::vector<std::uint32_t>{2, 0, 1})),
            (std::vector<DocId>{1, 1, 1}));
}

TEST(Star, ADocumentLeavesForTheBestRankedOfTwoThatStay) {
  const std::vector<VerifiedPair> fork = {pair_of(0, 2, .5f), pair_of(1, 2, .9f)};
  EXPECT_EQ(kept_of(stars_of(3, fork, in_order(3))), (std::vector<DocId>{0, kNone, 0}));
}

TEST(Star, EachThatLeftNamesThePairThatRemovedIt) {
  const std::vector<VerifiedPair> pairs = {pair_of(1, 2), pair_of(0, 2), pair_of(0, 3)};
  const std::vector<Decision> decisions = stars_of(4, pairs, in_order(4));
  EXPECT_EQ(decisions[2].pair, 0u) << "in the store's order";
  EXPECT_EQ(decisions[3].pair, 1u);
  EXPECT_EQ(decisions[0].pair, UINT32_MAX) << "it stays";
}

TEST(Star, ProtectedDocumentsOfAnyRankStayAndRemoveOthers) {
  const std::vector<VerifiedPair> pairs = {pair_of(0, 1), pair_of(0, 2), pair_of(2, 3)};
  const std::vector<std::uint32_t> rank = {3, 2, 1, 0};
  EXPECT_EQ(kept_of(stars_of(4, pairs, rank, 2)), (std::vector<DocId>{0, kNone, 0, kNone}))
      << "0 and 1 are alike and both protected; 2 leaves for 0 though it ranks higher, so 3 stays";
}

TEST(Star, TheOrderOfPairsChangesNothing) {
  std::mt19937 random(11);
  std::vector<VerifiedPair> pairs;
  for (int i = 0; i < 400; ++i) {
    const DocId a = random() % 200, b = random() % 200;
    if (a != b) pairs.push_back(pair_of(a, b));
  }
  std::vector<std::uint32_t> rank = in_order(200);
  std::shuffle(rank.begin(), rank.end(), random);
  const std::vector<DocId> stars = kept_of(stars_of(200, pairs, rank, 10));
  const std::vector<DocId> components = components_of(200, pairs);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    EXPECT_EQ(kept_of(stars_of(200, pairs, rank, 10)), stars);
    EXPECT_EQ(components_of(200, pairs), components);
  }
}

TEST(Star, IsItsDefinitionOnRandomGraphs) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t documents = 1 + random() % 40;
    std::vector<VerifiedPair> pairs;
    for (std::size_t i = random() % (2 * documents); i-- > 0;) {
      const DocId a = random() % documents, b = random() % documents;
      if (a != b) pairs.push_back(pair_of(a, b));
    }
    std::vector<std::uint32_t> rank = in_order(documents);
    std::shuffle(rank.begin(), rank.end(), random);
    const DocId protected_count = random() % 2 == 0 ? 0 : random() % documents;
    const std::vector<Decision> decisions = stars_of(documents, pairs, rank, protected_count);
    ASSERT_EQ(kept_of(decisions), slow_star(documents, pairs, rank, protected_count)) << "round " << round;
    ASSERT_EQ(components_of(documents, pairs), slow_components(documents, pairs)) << "round " << round;
    const std::vector<VerifiedPair> stored = testing::Stored(documents, pairs).list();
    for (DocId d = 0; d < documents; ++d) {
      if (decisions[d].kept == kNone || decisions[d].kept == d) continue;
      const VerifiedPair& pair = stored[decisions[d].pair];
      EXPECT_EQ(std::minmax(d, decisions[d].kept), std::minmax(pair.a, pair.b))
          << "removed by a pair of its own";
    }
  }
}

// The documents that leave with losses, found by requesting one loss at a time.
struct Asked {
  std::vector<DocId> kept;
  std::set<std::pair<DocId, DocId>> losses;  // requested losses: the document that leaves, the one that stays
  std::size_t rounds = 0;
};

/// Losses are those of `loss_of(leaves, stays)`.
template <class LossOf>
Asked stars_by_loss(std::size_t documents, const std::vector<VerifiedPair>& pairs,
                    const std::vector<std::uint32_t>& rank, DocId protected_count, std::uint32_t at_once,
                    LossOf loss_of) {
  testing::Stored stored(documents, pairs);
  const std::vector<VerifiedPair> numbered = stored.list();
  StarClusters stars(documents, stored, protected_count, LossLimits());
  EXPECT_TRUE(stars.list(rank));
  Asked asked;
  for (;; ++asked.rounds) {
    const std::vector<OpenLoss> open = stars.decide(at_once).value();
    if (open.empty()) break;
    for (const OpenLoss& loss : open) {
      EXPECT_TRUE(asked.losses.emplace(loss.leaves, loss.stays).second) << "nothing is asked for twice";
      EXPECT_EQ(std::minmax(loss.leaves, loss.stays),
                std::minmax(numbered[loss.pair].a, numbered[loss.pair].b));
      stars.learn(loss.pair, loss_of(loss.leaves, loss.stays));
    }
  }
  asked.kept = kept_of(stars.take_decisions());
  return asked;
}

Loss of_100(std::uint32_t lost) { return {.own = 100, .lost = lost}; }

TEST(Star, ATextStaysBesideOneThatLacksMuchOfItAndLeavesForTheNextThatDoesNot) {
  const std::vector<VerifiedPair> triangle = {pair_of(0, 1), pair_of(1, 2), pair_of(0, 2)};
  const auto kept = stars_by_loss(3, triangle, in_order(3), 0, 1,
                                  [](DocId, DocId stays) { return of_100(stays == 0 ? 6 : 5); });
  EXPECT_EQ(kept.kept, (std::vector<DocId>{kNone, 1, 1}));
  EXPECT_EQ(kept.losses.size(), 3u);
}

TEST(Star, OnlyTheLossesThatDecideAreRequested) {
  std::vector<VerifiedPair> all;
  for (DocId a = 0; a < 50; ++a)
    for (DocId b = a + 1; b < 50; ++b) all.push_back(pair_of(a, b));
  const auto kept = stars_by_loss(50, all, in_order(50), 0, 1, [](DocId, DocId) { return Loss(); });
  EXPECT_EQ(kept.losses.size(), 49u) << "each leaves for the first";
}

TEST(Star, AFamilyOfWhichAllStayIsSettledInFewRounds) {
  std::vector<VerifiedPair> all;
  for (DocId a = 0; a < 64; ++a)
    for (DocId b = a + 1; b < 64; ++b) all.push_back(pair_of(a, b));
  EXPECT_EQ(stars_by_loss(64, all, in_order(64), 0, 64, [](DocId, DocId) { return of_100(50); }).rounds, 1u);
}

TEST(Star, WithLossesItIsItsDefinitionForAnyNumberOfRequestsAtOnce) {
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    const std::size_t documents = 1 + random() % 30;
    std::vector<VerifiedPair> pairs;
    for (std::size_t i = random() % (4 * documents); i-- > 0;) {
      const DocId a = random() % documents, b = random() % documents;
      if (a != b) pairs.push_back(pair_of(a, b));
    }
    std::vector<std::uint32_t> rank = in_order(documents);
    std::shuffle(rank.begin(), rank.end(), random);
    const DocId protected_count = random() % 2 == 0 ? 0 : random() % documents;
    const std::uint32_t salt = random();
    const auto loss_of = [&](DocId leaves, DocId stays) {
      return of_100((leaves * 131 + stays * 31 + salt) % 3 == 0 ? 1 : 20);
    };
    // The definition without the pairs by which no document may leave.
    std::vector<VerifiedPair> left;
    for (const VerifiedPair& pair : pairs) {
      const auto order = [&](DocId d) { return std::pair(d >= protected_count, rank[d]); };
      const auto [first, other] =
          order(pair.a) < order(pair.b) ? std::pair(pair.a, pair.b) : std::pair(pair.b, pair.a);
      if (loss_of(other, first).share() <= LossLimits().loss) left.push_back(pair);
    }
    const std::vector<DocId> expected = slow_star(documents, left, rank, protected_count);
    for (const std::uint32_t at_once : {1u, 2u, UINT32_MAX})
      ASSERT_EQ(stars_by_loss(documents, pairs, rank, protected_count, at_once, loss_of).kept, expected)
          << "round " << round << ", " << at_once << " at once";
  }
}

TEST(Star, AMillionCopiesOfOneTextAreOneCluster) {
  constexpr DocId kDocuments = 1'000'000;
  std::vector<VerifiedPair> pairs;
  for (DocId d = 1; d < kDocuments; ++d) pairs.push_back(pair_of(0, d));
  std::vector<std::uint32_t> rank(kDocuments);
  for (DocId d = 0; d < kDocuments; ++d) rank[d] = kDocuments - 1 - d;
  // In the reverse order of ranks the hub comes last: the best-ranked leaf removes it, and the other leaves
  // are similar to no document that stays.
  const std::vector<Decision> backwards = stars_of(kDocuments, pairs, rank);
  EXPECT_EQ(backwards[0].kept, kDocuments - 1);
  EXPECT_EQ(backwards[1].kept, kNone);
  const std::vector<Decision> forwards = stars_of(kDocuments, pairs, in_order(kDocuments));
  EXPECT_EQ(std::count_if(forwards.begin(), forwards.end(), [](const Decision& d) { return d.kept == 0; }),
            kDocuments);
}

TEST(Components, AMillionDocumentsInOneChainAreOneComponentFromEitherEnd) {
  constexpr DocId kDocuments = 1'000'000;
  std::vector<VerifiedPair> pairs;
  for (DocId d = 1; d < kDocuments; ++d) pairs.push_back(pair_of(d - 1, d));
  EXPECT_EQ(components_of(kDocuments, pairs), std::vector<DocId>(kDocuments, 0));
  Kinship backwards(kDocuments);
  for (DocId d = kDocuments - 1; d > 0; --d) backwards.join(d - 1, d);
  EXPECT_EQ(backwards.take(), std::vector<DocId>(kDocuments, 0));
}

TEST(Star, DecidesTheSameFromDisk) {
  constexpr std::size_t kDocuments = 100'000;
  std::mt19937 random(3);
  std::vector<VerifiedPair> pairs;
  while (pairs.size() < 800'000) {
    const DocId a = random() % kDocuments, b = random() % kDocuments;
    if (a != b) pairs.push_back(pair_of(a, b));
  }
  std::vector<std::uint32_t> rank = in_order(kDocuments);
  std::shuffle(rank.begin(), rank.end(), random);
  testing::Stored on_disk(kDocuments, pairs, MemoryBudget::least(0));
  const auto stars = star_clusters(kDocuments, on_disk, rank, 10);
  ASSERT_TRUE(stars);
  const std::vector<Decision> expected = stars_of(kDocuments, pairs, rank, 10);
  EXPECT_EQ(kept_of(*stars), kept_of(expected));
  for (DocId d = 0; d < kDocuments; ++d) ASSERT_EQ((*stars)[d].pair, expected[d].pair);
}

}  // namespace
}  // namespace leitong
