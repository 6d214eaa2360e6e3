#include "index/band_join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

constexpr std::size_t kValuesPerRow = 12;
constexpr Banding kBanding{.bands = 4, .rows = 3};

struct Rows {
  std::vector<MinhashValue> values;
  std::vector<std::uint64_t> preference;

  [[nodiscard]] std::size_t size() const { return preference.size(); }
  void add(const std::vector<MinhashValue>& row, std::uint64_t prefer) {
    values.insert(values.end(), row.begin(), row.end());
    preference.push_back(prefer);
  }
  [[nodiscard]] bool agree(std::size_t a, std::size_t b, unsigned band) const {
    const auto at = [&](std::size_t row) {
      return values.begin() + row * kValuesPerRow + band * kBanding.rows;
    };
    return std::equal(at(a), at(a) + kBanding.rows, at(b));
  }
};

/// Few distinct values, so that every band has groups of all sizes.
Rows random_rows(std::size_t count, unsigned distinct, std::mt19937_64& random) {
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<MinhashValue> row(kValuesPerRow);
    for (auto& value : row) value = static_cast<MinhashValue>(random() % distinct);
    rows.add(row, random());
  }
  return rows;
}

std::set<RowPair> brute_force(const Rows& rows) {
  std::set<RowPair> pairs;
  for (std::uint32_t a = 0; a < rows.size(); ++a)
    for (std::uint32_t b = a + 1; b < rows.size(); ++b)
      for (unsigned band = 0; band < kBanding.bands; ++band)
        if (rows.agree(a, b, band)) pairs.insert({a, b});
  return pairs;
}

struct Joined {
  std::vector<RowPair> pairs;
  BandJoinFigures figures;
  [[nodiscard]] std::set<RowPair> distinct() const { return {pairs.begin(), pairs.end()}; }
};

Joined join(const Rows& rows, std::size_t largest_group) {
  Joined joined;
  const auto figures = band_join({rows.values, kValuesPerRow, rows.preference}, {kBanding, largest_group},
                                 [&](std::span<const RowPair> pairs) -> Result<void> {
                                   joined.pairs.insert(joined.pairs.end(), pairs.begin(), pairs.end());
                                   return {};
                                 });
  EXPECT_TRUE(figures.has_value());
  joined.figures = *figures;
  return joined;
}

TEST(BandJoin, FindsWhatBruteForceFindsAndEachPairOnce) {
  std::mt19937_64 random(1);
  for (unsigned distinct : {2, 5, 8, 1000}) {
    const Rows rows = random_rows(500, distinct, random);
    const Joined joined = join(rows, 500);
    EXPECT_EQ(joined.distinct(), brute_force(rows)) << distinct << " values";
    EXPECT_EQ(joined.pairs.size(), joined.distinct().size());
    EXPECT_EQ(joined.figures.pairs, joined.pairs.size());
    EXPECT_EQ(joined.figures.large_groups, 0u);
    EXPECT_EQ(joined.figures.starred_rows, 0u);
  }
}

TEST(BandJoin, PairsOfSmallGroupsAreFoundEvenIfTheyShareALargeOne) {
  std::mt19937_64 random(2);
  Rows rows = random_rows(400, 4, random);
  const std::size_t cap = 5;
  const auto pairs = join(rows, cap).distinct();
  for (const RowPair& pair : brute_force(rows))
    for (unsigned band = 0; band < kBanding.bands; ++band) {
      if (!rows.agree(pair.a, pair.b, band)) continue;
      std::size_t group = 0;
      for (std::size_t row = 0; row < rows.size(); ++row) group += rows.agree(pair.a, row, band) ? 1 : 0;
      if (group <= cap) {
        EXPECT_TRUE(pairs.contains(pair)) << pair.a << ' ' << pair.b;
      }
    }
}

TEST(BandJoin, LargeGroupsAreTiedToTheirTwoLeaders) {
  Rows rows;
  constexpr std::uint32_t kCopies = 1000;
  std::mt19937_64 random(3);
  for (std::uint32_t i = 0; i < kCopies; ++i) rows.add(std::vector<MinhashValue>(kValuesPerRow, 9), random());
  std::vector<std::uint32_t> order(kCopies);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return rows.preference[row]; });
  const std::uint32_t first = order[0], second = order[1];

  std::set<RowPair> expected;
  for (std::uint32_t row = 0; row < kCopies; ++row)
    for (const std::uint32_t leader : {first, second})
      if (row != leader) expected.insert({std::min(row, leader), std::max(row, leader)});

  const Joined joined = join(rows, 64);
  EXPECT_EQ(joined.distinct(), expected);
  EXPECT_EQ(joined.pairs.size(), expected.size()) << "the same leaders in every band: nothing comes again";
  EXPECT_EQ(joined.figures.large_groups, kBanding.bands);
  EXPECT_EQ(joined.figures.starred_rows, kCopies);
}

TEST(BandJoin, OrderOfRowsChangesNothing) {
  std::mt19937_64 random(4);
  const Rows rows = random_rows(600, 3, random);
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Rows shuffled;
  for (const std::uint32_t row : order) {
    const auto begin = rows.values.begin() + row * kValuesPerRow;
    shuffled.add({begin, begin + kValuesPerRow}, rows.preference[row]);
  }
  std::set<RowPair> back;
  for (const RowPair& pair : join(shuffled, 16).pairs)
    back.insert({std::min(order[pair.a], order[pair.b]), std::max(order[pair.a], order[pair.b])});
  EXPECT_EQ(back, join(rows, 16).distinct());
}

TEST(BandJoin, StopsWhereTheReceiverFails) {
  std::mt19937_64 random(5);
  const Rows rows = random_rows(100, 2, random);
  const auto figures = band_join(
      {rows.values, kValuesPerRow, rows.preference}, {kBanding, 1000},
      [](std::span<const RowPair>) -> Result<void> { return fail(ErrorCode::cancelled, "enough"); });
  ASSERT_FALSE(figures.has_value());
  EXPECT_EQ(figures.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace leitong
