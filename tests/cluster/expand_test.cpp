#include "cluster/expand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cluster/stored.hpp"

namespace leitong {
namespace {

std::vector<VerifiedPair> expand_all(std::uint64_t documents, const std::vector<VerifiedPair>& pairs,
                                     const std::vector<Copy>& copies) {
  testing::Stored expanded(documents, {});
  EXPECT_TRUE(expand(testing::Stored(documents, pairs), copies, expanded));
  return expanded.list();
}

std::vector<std::pair<DocId, DocId>> expanded(std::uint64_t documents, const std::vector<VerifiedPair>& pairs,
                                              const std::vector<Copy>& copies) {
  std::vector<std::pair<DocId, DocId>> result;
  for (const VerifiedPair& p : expand_all(documents, pairs, copies)) result.emplace_back(p.a, p.b);
  return result;
}

VerifiedPair pair(DocId a, DocId b) { return {a, b, .8F, .9F, .8F, Measure::jaccard}; }

TEST(Expand, CopiesHaveTheNeighboursOfTheirOriginal) {
  // 0 and 1 are similar; 2 and 3 are copies of 0, 4 of 1.
  EXPECT_EQ(expanded(5, {pair(0, 1)}, {{2, 0}, {3, 0}, {4, 1}}),
            (std::vector<std::pair<DocId, DocId>>{
                {0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}));
}

TEST(Expand, IdenticalDocumentsSayThatTheyAre) {
  const auto pairs = expand_all(3, {}, {{1, 0}, {2, 0}});
  ASSERT_EQ(pairs.size(), 3u);
  for (const VerifiedPair& p : pairs) {
    EXPECT_EQ(p.measure, Measure::identical);
    EXPECT_EQ(p.score, 1.0F);
    EXPECT_EQ(p.jaccard, 1.0F);
    EXPECT_EQ(p.containment, 1.0F);
  }
}

TEST(Expand, CopiesInOtherFormsSaySo) {
  std::vector<Measure> measures;
  for (const VerifiedPair& p : expand_all(4, {}, {{1, 0, {7}}, {2, 0, {7}}, {3, 0}}))
    measures.push_back(p.measure);
  // 0-1, 0-2, 0-3, 1-2, 1-3, 2-3
  EXPECT_EQ(measures, (std::vector{Measure::copy, Measure::copy, Measure::identical, Measure::identical,
                                   Measure::copy, Measure::copy}));
}

TEST(Expand, CopiesWithOtherSignsHaveLossesThatSaySo) {
  testing::Stored expanded(4, {});
  PairStore& store = expanded;
  const std::vector<Copy> copies{{1, 0, {1, 1}}, {2, 0, {2, 0}}, {3, 0, {3, 1}}};
  EXPECT_TRUE(expand(testing::Stored(4, {}), copies, store));
  std::vector<std::pair<DocId, DocId>> apart;
  EXPECT_TRUE(store.for_each([&](const VerifiedPair& pair, const PairLosses& losses) {
    EXPECT_EQ(pair.measure, Measure::copy);
    EXPECT_EQ(losses.a, losses.b);
    if (losses.a && losses.a->other_signs) apart.emplace_back(pair.a, pair.b);
  }));
  EXPECT_EQ(apart, (std::vector<std::pair<DocId, DocId>>{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
}

TEST(Expand, OfALargeGroupTheFirstWithTheSameSignsIsNamedToo) {
  std::vector<Copy> copies;
  for (DocId d = 1; d < 1'000; ++d) copies.push_back({d, 0, {d, d % 3}});
  const auto pairs = expanded(1'000, {}, copies);
  EXPECT_EQ(pairs.size(), 999u + 2 * 332u);
  EXPECT_TRUE(std::ranges::count(pairs, std::pair<DocId, DocId>(1, 997)) == 1);
}

TEST(Expand, TheFirstOfALargeGroupRepresentsAll) {
  std::vector<Copy> copies;
  for (DocId d = 1; d < 1'000; ++d) copies.push_back({d, 0});
  const auto pairs = expanded(1'001, {pair(0, 1'000)}, copies);
  EXPECT_EQ(pairs.size(), 999u + 1u);
  for (const auto& [a, b] : pairs) EXPECT_EQ(a, 0u);
}

// `size` documents, the first one and its copies, and another one that is similar to them.
std::size_t pairs_of_a_group(std::size_t size) {
  std::vector<Copy> copies;
  for (DocId d = 1; d < size; ++d) copies.push_back({d, 0});
  return expanded(size + 1, {pair(0, static_cast<DocId>(size))}, copies).size();
}

TEST(Expand, TheLimitCountsTheDocumentsOfAGroup) {
  EXPECT_EQ(pairs_of_a_group(kMaxExpanded), kMaxExpanded * (kMaxExpanded - 1) / 2 + kMaxExpanded)
      << "all with all, and each with the similar one";
  EXPECT_EQ(pairs_of_a_group(kMaxExpanded + 1), kMaxExpanded + 1)
      << "the first with each copy and with the similar one";
}

}  // namespace
}  // namespace leitong
