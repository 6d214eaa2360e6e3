// The engine through its public header alone; its parts have tests of their own.
#include "leitong/hamming.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "index/hamming/join_helpers.hpp"
#include "temp_path.hpp"

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
  const Context context({.threads = 2});
  auto index = Index<TypeParam>::open(context, {.distance = 3});
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

/// Many queries are divided among threads, few are not.
TYPED_TEST(HammingLibrary, SearchesManyQueriesAsItSearchesFew) {
  const std::vector<TypeParam> values = crowd_of<TypeParam>(2'000);
  std::vector<Row<TypeParam>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) rows.push_back({values[i], i});
  const Context context({.threads = 2});
  auto index = Index<TypeParam>::open(context, {.distance = 3});
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE(index->insert(rows));
  std::vector<Hit<TypeParam>> one_by_one;
  for (std::uint32_t q = 0; q < values.size(); ++q) {
    const auto hits = index->search(std::span(values).subspan(q, 1), 3);
    ASSERT_TRUE(hits);
    for (Hit<TypeParam> hit : *hits) {
      hit.query = q;
      one_by_one.push_back(hit);
    }
  }
  const auto at_once = index->search(values, 3);
  ASSERT_TRUE(at_once) << at_once.error().message;
  EXPECT_EQ(*at_once, one_by_one);
}

TEST(HammingLibraryContext, AStopEndsSearchesAndMergesAndKeepsWhatWasFlushed) {
  const auto folder = test::temp_path();
  const std::vector<Fingerprint64> values = crowd_of<Fingerprint64>(300);
  std::vector<Row<Fingerprint64>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) rows.push_back({values[i], i});
  {
    Context context({.threads = 1});
    auto index = Index<Fingerprint64>::open(context, {.distance = 3, .folder = folder});
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_TRUE(index->insert(std::span(rows).first(100)));
    ASSERT_TRUE(index->flush());
    ASSERT_TRUE(index->insert(std::span(rows).subspan(100)));
    context.request_stop();
    EXPECT_EQ(index->merge().error().code, ErrorCode::cancelled);
    EXPECT_EQ(index->search(values, 3).error().code, ErrorCode::cancelled);
  }
  {
    const Context context({.threads = 1});
    const auto index = Index<Fingerprint64>::open(context, {.distance = 3, .folder = folder});
    ASSERT_TRUE(index) << index.error().message;
    const auto hits = index->search(values, 0);
    ASSERT_TRUE(hits) << hits.error().message;
    std::set<std::uint64_t> found;
    for (const auto& hit : *hits) found.insert(hit.id);
    EXPECT_EQ(found.size(), 100u);
  }
  std::filesystem::remove_all(folder);
}

TEST(HammingLibraryContext, AnIndexIsOpenedOnlyForTheSchemeOfItsFingerprints) {
  const auto folder = test::temp_path();
  const Context context({.threads = 1});
  const SchemeId simhash = {"simhash", 1, "bits=64", 1, 0}, other = {"simhash", 2, "bits=64", 1, 0};
  {
    const auto index = Index<Fingerprint64>::open(context, {.folder = folder, .scheme = simhash});
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ(index->scheme(), simhash);
  }
  EXPECT_EQ(Index<Fingerprint64>::open(context, {.folder = folder})->scheme(), simhash);
  const auto refused = Index<Fingerprint64>::open(context, {.folder = folder, .scheme = other});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  std::filesystem::remove_all(folder);
}

TEST(HammingLibraryErrors, AreNamed) {
  const Context context;
  EXPECT_EQ(Index<Fingerprint64>::open(context, {.distance = 40}).error().code, ErrorCode::invalid_argument);
  auto index = Index<Fingerprint64>::open(context, {.distance = 3});
  ASSERT_TRUE(index);
  const std::vector<Fingerprint64> query = {1};
  const auto beyond = index->search(query, 4);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong::hamming
