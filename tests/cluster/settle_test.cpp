#include "cluster/settle.hpp"

#include <gtest/gtest.h>

#include "cluster/stored.hpp"

namespace leitong {
namespace {

using testing::Stored;

VerifiedPair pair(DocId a, DocId b) { return {a, b, .8F, .9F, .8F, Measure::jaccard}; }
std::vector<DocId> kept(const Settlement& s) { return {s.kept.begin(), s.kept.end()}; }

TEST(Settle, TheBestOfIdenticalDocumentsRepresentsThem) {
  const std::vector<Copy> copies = {{1, 0}, {2, 0}};
  const std::vector<std::uint32_t> rank = {2, 0, 1, 3};
  const Settlement s = *settle(4, Stored(4, {}), copies, rank, 0);
  EXPECT_EQ(kept(s), (std::vector<DocId>{1, 1, 1, 3}));
  EXPECT_EQ(s.pair[0], Settlement::kNoPair);
  EXPECT_EQ(s.component, (std::vector<DocId>{0, 0, 0, 3}));
}

TEST(Settle, CopiesLeaveWithTheirOriginal) {
  const std::vector<VerifiedPair> pairs = {pair(0, 2)};
  const std::vector<Copy> copies = {{1, 0}, {3, 2}};
  const std::vector<std::uint32_t> rank = {1, 2, 3, 0};
  const Settlement s = *settle(4, Stored(4, pairs), copies, rank, 0);
  EXPECT_EQ(kept(s), (std::vector<DocId>{3, 3, 3, 3}));
  EXPECT_EQ(s.pair[0], 0u);
  EXPECT_EQ(s.pair[1], 0u);
  EXPECT_EQ(s.pair[2], Settlement::kNoPair);
}

TEST(Settle, ReferencesRemoveOthersAndAreNeverRemoved) {
  // 0 and 1 are references, identical to each other; 2 is a better-ranked copy, 3 is similar.
  const std::vector<VerifiedPair> pairs = {pair(0, 3)};
  const std::vector<Copy> copies = {{1, 0}, {2, 0}};
  const std::vector<std::uint32_t> rank = {3, 2, 0, 1};
  const Settlement s = *settle(4, Stored(4, pairs), copies, rank, 2);
  EXPECT_EQ(kept(s), (std::vector<DocId>{0, 1, 1, 1}));
}

Settlement by_losses(std::uint64_t documents, const std::vector<VerifiedPair>& pairs,
                     const std::vector<Copy>& copies, const std::vector<std::uint32_t>& rank,
                     DocId protected_count = 0) {
  Stored stored(documents, pairs);
  PairStore& store = stored;
  for (const VerifiedPair& p : pairs) {
    EXPECT_TRUE(store.add_loss(p.a, p.b, {.own = 100}));
    EXPECT_TRUE(store.add_loss(p.b, p.a, {.own = 100}));
  }
  EXPECT_TRUE(store.sort());
  Settlement s = *settle(documents, store, copies, rank, protected_count);
  EXPECT_TRUE(settle_losses(store, copies, rank, protected_count, LossLimits(), {}, s));
  return s;
}

TEST(Settle, WhereLossesDecideOneCopyStaysOfEachWayToSignItsText) {
  // 1 and 4 differ from 0 in signs that are text, in the same way; 2 in others; 3 in none.
  const std::vector<Copy> copies = {{1, 0, {1, 1}}, {2, 0, {2, 2}}, {3, 0, {3, 0}}, {4, 0, {4, 1}}};
  const std::vector<std::uint32_t> rank = {4, 3, 2, 1, 0};
  EXPECT_EQ(kept(*settle(5, Stored(5, {}), copies, rank, 0)), (std::vector<DocId>{4, 4, 4, 4, 4}));
  const Settlement s = by_losses(5, {}, copies, rank);
  EXPECT_EQ(kept(s), (std::vector<DocId>{3, 4, 2, 3, 4}));
  EXPECT_EQ(s.leader(2), 4u) << "their cluster is one";
  EXPECT_EQ(kept(by_losses(5, {}, copies, rank, 1)), (std::vector<DocId>{0, 4, 2, 0, 4}))
      << "0 is a reference";
}

TEST(Settle, CopiesWithOtherSignsLeaveTogetherForAThirdText) {
  const std::vector<Copy> copies = {{1, 0, {1, 1}}};
  EXPECT_EQ(kept(by_losses(3, {pair(0, 2)}, copies, {1, 2, 0})), (std::vector<DocId>{2, 2, 2}));
  EXPECT_EQ(kept(by_losses(3, {pair(0, 2)}, copies, {1, 0, 2})), (std::vector<DocId>{0, 1, 1}));
}

TEST(Settle, ChainsAreOneComponentButEachLeavesOnlyForASimilarOne) {
  const std::vector<VerifiedPair> pairs = {pair(0, 1), pair(1, 2), pair(2, 3)};
  const std::vector<std::uint32_t> rank = {0, 1, 2, 3};
  const Settlement s = *settle(4, Stored(4, pairs), {}, rank, 0);
  EXPECT_EQ(kept(s), (std::vector<DocId>{0, 0, 2, 2}));
  EXPECT_EQ(s.component, (std::vector<DocId>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace leitong
