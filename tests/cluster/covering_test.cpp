#include "cluster/covering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "cluster/stored.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {
namespace {

using testing::Stored;

VerifiedPair pair(DocId a, DocId b) { return {a, b, .8F, .9F, .8F, Measure::jaccard}; }

/// A loss of `lost` of 1,000 units.
Loss loss_of(std::uint32_t lost) { return {.own = 1'000, .lost = lost}; }

struct Directed {
  DocId leaves, stays;
  std::uint32_t lost;
};

/// The order of the documents, the first one first.
std::vector<DocId> order_of(const std::vector<std::uint32_t>& units, const std::vector<Directed>& losses,
                            const std::vector<Copy>& copies = {}, DocId protected_count = 0,
                            Measure measure = Measure::jaccard) {
  std::map<std::pair<DocId, DocId>, VerifiedPair> pairs;
  for (const auto& [leaves, stays, lost] : losses) {
    VerifiedPair p = pair(std::min(leaves, stays), std::max(leaves, stays));
    p.measure = measure;
    pairs.emplace(std::pair(p.a, p.b), p);
  }
  std::vector<VerifiedPair> list;
  for (const auto& [key, p] : pairs) list.push_back(p);
  Stored stored(units.size(), list);
  PairStore& store = stored;
  for (const auto& [leaves, stays, lost] : losses) EXPECT_TRUE(store.add_loss(leaves, stays, loss_of(lost)));
  EXPECT_TRUE(store.sort());
  const std::vector<std::uint32_t> rank =
      *covering_ranks(store, copies, units, protected_count, LossLimits());
  std::vector<DocId> order(units.size());
  for (DocId d = 0; d < rank.size(); ++d) order[rank[d]] = d;
  return order;
}

TEST(Covering, TheTextThatCoversMostComesBeforeLongerOnes) {
  // 0 is the longest and covers 1; 2 covers 1 and 3.
  EXPECT_EQ(order_of({500, 400, 450, 420}, {{1, 0, 10}, {1, 2, 10}, {3, 2, 10}, {0, 2, 300}, {2, 0, 200}}),
            (std::vector<DocId>{2, 0, 3, 1}));
}

TEST(Covering, WithoutLossesOrAmongEqualsTheLongestThenTheEarlier) {
  EXPECT_EQ(order_of({5, 9, 9, 0}, {}), (std::vector<DocId>{1, 2, 0, 3}));
  EXPECT_EQ(order_of({7, 7}, {{0, 1, 0}, {1, 0, 0}}), (std::vector<DocId>{0, 1}));
}

TEST(Covering, WhatIsLostTooMuchIsNotCovered) {
  EXPECT_EQ(order_of({100, 90, 80}, {{0, 2, 51}, {1, 2, 50}}), (std::vector<DocId>{2, 0, 1}));
  EXPECT_EQ(order_of({100, 90, 80}, {{0, 2, 51}, {1, 2, 51}}), (std::vector<DocId>{0, 1, 2}));
}

TEST(Covering, CopiesCountAsOftenAsTheyAre) {
  // 1 covers 0 and its two copies 3 and 4; 2 covers the longer 1.
  EXPECT_EQ(order_of({40, 50, 45, 40, 40}, {{0, 1, 0}, {1, 2, 0}}, {{3, 0}, {4, 0}}).front(), 1U);
  EXPECT_EQ(order_of({40, 50, 45, 45}, {{0, 1, 0}, {0, 2, 0}}, {{3, 2}}).front(), 2U)
      << "its own copy leaves, too";
}

TEST(Covering, ReferencesNeverLeaveAndCoverOthers) {
  // 0 is a reference, which 2 would cover; 1 covers 3.
  EXPECT_EQ(order_of({900, 50, 60, 40}, {{0, 2, 0}, {3, 1, 0}}, {}, 1).front(), 1U);
}

TEST(Covering, ByVectorsForAnyLoss) {
  EXPECT_EQ(order_of({100, 90}, {{0, 1, 900}}, {}, 0, Measure::cosine), (std::vector<DocId>{1, 0}));
  EXPECT_EQ(order_of({100, 90}, {{0, 1, 900}}), (std::vector<DocId>{0, 1}));
}

TEST(Covering, IsTheDefinitionWordByWord) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const std::size_t documents = 3 + random() % 12;
    std::vector<std::uint32_t> units(documents);
    for (std::uint32_t& each : units) each = 1 + random() % 20;
    std::vector<Directed> losses;
    for (DocId a = 0; a < documents; ++a)
      for (DocId b = 0; b < documents; ++b)
        if (a != b && random() % 3 == 0) losses.push_back({a, b, static_cast<std::uint32_t>(random() % 100)});
    std::vector<std::uint64_t> covered(documents);
    for (const auto& [leaves, stays, lost] : losses)
      if (lost <= 50) covered[stays] += units[leaves];
    std::vector<DocId> expected(documents);
    for (DocId d = 0; d < documents; ++d) expected[d] = d;
    std::stable_sort(expected.begin(), expected.end(), [&](DocId x, DocId y) {
      return std::pair(covered[x], units[x]) > std::pair(covered[y], units[y]);
    });
    EXPECT_EQ(order_of(units, losses), expected);
  }
}

}  // namespace
}  // namespace leitong
