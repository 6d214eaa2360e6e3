#include "cluster/expand.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace leitong {
namespace {

std::vector<std::pair<DocId, DocId>> expanded(std::uint64_t documents, const std::vector<VerifiedPair>& pairs,
                                              const std::vector<Copy>& copies) {
  std::vector<std::pair<DocId, DocId>> result;
  EXPECT_TRUE(for_each_pair(documents, pairs, copies, [&](const VerifiedPair& p) -> Result<void> {
    result.emplace_back(p.a, p.b);
    return {};
  }));
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
  ASSERT_TRUE(
      for_each_pair(3, {}, std::vector<Copy>{{1, 0}, {2, 0}}, [](const VerifiedPair& p) -> Result<void> {
        EXPECT_EQ(p.measure, Measure::identical);
        EXPECT_EQ(p.score, 1.0F);
        return {};
      }));
}

TEST(Expand, TheFirstOfALargeGroupStandsForAll) {
  std::vector<Copy> copies;
  for (DocId d = 1; d < 1'000; ++d) copies.push_back({d, 0});
  const auto pairs = expanded(1'001, {pair(0, 1'000)}, copies);
  EXPECT_EQ(pairs.size(), 999u + 1u);
  for (const auto& [a, b] : pairs) EXPECT_EQ(a, 0u);
}

}  // namespace
}  // namespace leitong
