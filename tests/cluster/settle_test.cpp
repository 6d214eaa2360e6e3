#include "cluster/settle.hpp"

#include <gtest/gtest.h>

#include "cluster/stored.hpp"

namespace leitong {
namespace {

using testing::Stored;

VerifiedPair pair(DocId a, DocId b) { return {a, b, .8F, .9F, .8F, Measure::jaccard}; }
std::vector<DocId> kept(const Settlement& s) { return {s.kept.begin(), s.kept.end()}; }

TEST(Settle, TheBestOfIdenticalDocumentsStandsForThem) {
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

TEST(Settle, ChainsAreOneComponentButNobodyLeavesForAStranger) {
  const std::vector<VerifiedPair> pairs = {pair(0, 1), pair(1, 2), pair(2, 3)};
  const std::vector<std::uint32_t> rank = {0, 1, 2, 3};
  const Settlement s = *settle(4, Stored(4, pairs), {}, rank, 0);
  EXPECT_EQ(kept(s), (std::vector<DocId>{0, 0, 2, 2}));
  EXPECT_EQ(s.component, (std::vector<DocId>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace leitong
