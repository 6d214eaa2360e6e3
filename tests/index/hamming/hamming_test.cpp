// The engine through its public header alone; the parts behind it have tests of their own.
#include "leitong/hamming.hpp"

#include <gtest/gtest.h>

#include "index/hamming/join_helpers.hpp"

namespace leitong::hamming {
namespace {

template <Fingerprint F>
std::vector<F> crowd_of(std::size_t count) {
  std::mt19937_64 random(7);
  return crowd<F>(count, ~F{}, 3, random);
}

template <Fingerprint F>
class HammingLibrary : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingLibrary, Widths);

TYPED_TEST(HammingLibrary, JoinPassesOnAllPairsWithinTheDistance) {
  const std::vector<TypeParam> values = crowd_of<TypeParam>(500);
  const std::vector<TypeParam> left(values.begin(), values.begin() + 200),
      right(values.begin() + 200, values.end());
  std::vector<RowPair> pairs;
  const auto collect = [&](std::span<const RowPair> batch) -> Result<void> {
    pairs.insert(pairs.end(), batch.begin(), batch.end());
    return {};
  };
  ASSERT_TRUE(join<TypeParam>(Context({.threads = 2}), values, {.distance = 4}, collect));
  sort_pairs(pairs);
  EXPECT_EQ(pairs, brute_force(values, 4));
  pairs.clear();
  ASSERT_TRUE(join<TypeParam>(Context({.threads = 1}), left, right, {.distance = 4}, collect));
  sort_pairs(pairs);
  EXPECT_EQ(pairs, brute_force(left, right, 4));
}

TYPED_TEST(HammingLibrary, ComponentsAreThoseOfThePairs) {
  const std::vector<TypeParam> values = crowd_of<TypeParam>(300);
  std::vector<std::uint32_t> expected(values.size());
  for (std::uint32_t i = 0; i < values.size(); ++i) expected[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const RowPair& pair : brute_force(values, 3)) {
      const std::uint32_t least = std::min(expected[pair.a], expected[pair.b]);
      changed |= expected[pair.a] != least || expected[pair.b] != least;
      expected[pair.a] = expected[pair.b] = least;
    }
  }
  const auto found = components<TypeParam>(Context({.threads = 2}), values, {.distance = 3});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, expected);
}

TYPED_TEST(HammingLibrary, IndexFindsWhatWasInsertedAndNotWhatWasRemoved) {
  const std::vector<TypeParam> values = crowd_of<TypeParam>(300);
  std::vector<Row<TypeParam>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) rows.push_back({values[i], 1000 + i});
  auto index = Index<TypeParam>::open({.distance = 3});
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE(index->insert(rows));
  ASSERT_TRUE(index->merge());
  ASSERT_TRUE(index->remove(std::span(rows).first(50)));
  const auto hits = index->search(values, 3);
  ASSERT_TRUE(hits) << hits.error().message;
  std::size_t expected = 0;
  for (const TypeParam& query : values)
    for (std::size_t i = 50; i < rows.size(); ++i) expected += distance(query, values[i]) <= 3 ? 1 : 0;
  EXPECT_EQ(hits->size(), expected);
  for (const auto& hit : *hits) {
    EXPECT_GE(hit.id, 1050u);
    EXPECT_EQ(hit.distance, distance(values[hit.query], hit.fingerprint));
    EXPECT_LE(hit.distance, 3u);
  }
}

TEST(HammingLibraryErrors, AreNamed) {
  EXPECT_EQ(Index<Fingerprint64>::open({.distance = 40}).error().code, ErrorCode::invalid_argument);
  auto index = Index<Fingerprint64>::open({.distance = 3});
  ASSERT_TRUE(index);
  const std::vector<Fingerprint64> query = {1};
  const auto beyond = index->search(query, 4);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::hamming
