#include "dedup/pair_families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace leitong {
namespace {

struct Edge {
  DocId a = 0, b = 0;
  bool operator==(const Edge&) const = default;
};

TEST(PairFamilies, StandTogetherInTheOrderOfTheirFirstPairs) {
  std::vector<Edge> pairs = {{0, 7}, {1, 2}, {2, 5}, {3, 7}, {4, 6}};
  EXPECT_EQ(sort_by_family(pairs), (std::vector<std::uint32_t>{2, 2, 1}));
  EXPECT_EQ(pairs, (std::vector<Edge>{{0, 7}, {3, 7}, {1, 2}, {2, 5}, {4, 6}}));
}

TEST(PairFamilies, OfNoPairsAreNone) {
  std::vector<Edge> pairs;
  EXPECT_TRUE(sort_by_family(pairs).empty());
}

// The slow way: documents are joined until nothing changes.
TEST(PairFamilies, AreTheComponentsOfThePairs) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<Edge> pairs;
    const DocId documents = 2 + static_cast<DocId>(random() % 40);
    for (std::size_t i = random() % 40; i > 0; --i) {
      const DocId a = static_cast<DocId>(random() % (documents - 1));
      pairs.push_back({a, a + 1 + static_cast<DocId>(random() % (documents - 1 - a))});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const Edge& x, const Edge& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    std::vector<DocId> component(documents);
    for (DocId d = 0; d < documents; ++d) component[d] = d;
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& [a, b] : pairs) {
        const DocId least = std::min(component[a], component[b]);
        changes |= component[a] != least || component[b] != least;
        component[a] = component[b] = least;
      }
    }
    std::vector<Edge> sorted = pairs;
    const std::vector<std::uint32_t> sizes = sort_by_family(sorted);
    std::set<DocId> seen;
    auto at = sorted.begin();
    for (const std::uint32_t size : sizes) {
      const DocId family = component[at->a];
      EXPECT_TRUE(seen.insert(family).second) << "a family stands together";
      std::vector<Edge> expected;
      for (const Edge& pair : pairs)
        if (component[pair.a] == family) expected.push_back(pair);
      ASSERT_EQ(std::vector<Edge>(at, at + size), expected) << "all of it, in its order";
      at += size;
    }
    EXPECT_EQ(at, sorted.end());
  }
}

}  // namespace
}  // namespace leitong
