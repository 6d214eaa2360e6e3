#include "index/hamming/search/level.hpp"

#include <gtest/gtest.h>

#include "index/hamming/index_helpers.hpp"
#include "index/hamming/join/planner.hpp"
#include "index/hamming/search/level_builder.hpp"
#include "index/hamming/search/level_file.hpp"
#include "index/hamming/search/memory_rows.hpp"

namespace leitong::hamming {
namespace {

template <Fingerprint F>
std::unique_ptr<Level<F>> build(const std::vector<Row<F>>& rows, const Plan<F>& plan) {
  auto image = build_level<F>(RowSpan<F>(rows), *level_shapes(plan, rows.size()), plan.distance);
  EXPECT_TRUE(image) << image.error().message;
  return std::make_unique<Level<F>>(std::move(*image));
}

/// Hits in order, each query within `most`.
template <Fingerprint F>
std::vector<Hit<F>> search(const Level<F>& level, const std::vector<F>& queries, unsigned most,
                           HitRule rule = HitRule::all) {
  std::vector<Hit<F>> hits;
  typename Level<F>::Scratch scratch;
  for (std::size_t first = 0; first < queries.size(); first += kGroupQueries) {
    const auto group = std::span(queries).subspan(first, std::min(kGroupQueries, queries.size() - first));
    std::vector<std::int16_t> limits(group.size(), static_cast<std::int16_t>(most));
    const std::size_t old = hits.size();
    const auto searched = level.search(group, limits, rule, scratch, hits);
    EXPECT_TRUE(searched) << searched.error().message;
    for (Hit<F>& hit : std::span(hits).subspan(old)) hit.query += static_cast<std::uint32_t>(first);
  }
  std::sort(hits.begin(), hits.end(), rank_before<F>);
  return hits;
}

template <class F>
class LevelTest : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(LevelTest, Widths);

TYPED_TEST(LevelTest, FindsWhatComparingWithEveryRowFinds) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  for (const unsigned distance : {0u, 1u, 3u, 5u, 10u}) {
    for (const std::string& name : plan_names<F>(distance, 12)) {
      const auto plan = named_plan<F>(name, distance);
      ASSERT_TRUE(plan);
      if (std::any_of(plan->tables.begin(), plan->tables.end(),
                      [](const Table<F>& table) { return table.radius > kMaxRadius; }))
        continue;
      const auto rows = random_rows<F>(random() % 2000, random);
      const auto queries = random_queries(rows, 40, random);
      const auto level = build(rows, *plan);
      for (const Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512}) {
        if (simd > simd_level()) continue;
        level->use_kernels(simd);
        for (unsigned most = 0; most <= distance; most += 1 + distance / 3)
          EXPECT_EQ(search(*level, queries, most), search_slowly(rows, queries, most))
              << name << " for " << distance << " at " << most << ", " << simd_name(simd);
      }
    }
  }
}

TYPED_TEST(LevelTest, FindsThemInLevelsOfAllKinds) {
  using F = TypeParam;
  std::mt19937_64 random(6);
  constexpr std::size_t kQueries = 200;
  for (int trial = 0; trial < 150; ++trial) {  // 30,000 queries
    const auto distance = static_cast<unsigned>(trial % 3 == 0 ? random() % 17 : random() % 5);
    const auto rows = random_rows<F>(random() % (trial % 10 == 0 ? 4000 : 300), random);
    const auto sample = *take_sample<F>(RowSpan<F>(rows));
    std::vector<Plan<F>> plans;
    for (const std::string& name : plan_names<F>(distance, 24))
      if (auto plan = named_plan<F>(name, distance); plan && level_shapes(*plan, rows.size()))
        plans.push_back(*std::move(plan));
    const auto& plan = plans[random() % plans.size()];
    // Skewed fingerprints have their own distributions; nothing may be missed for any bits.
    const auto shapes =
        *level_shapes(plan, random() % 2 == 0 ? rows.size() : 1 + random() % 100'000, sample.order);
    auto image = build_level<F>(RowSpan<F>(rows), shapes, distance);
    ASSERT_TRUE(image);
    Level<F> level(std::move(*image));
    level.use_kernels(static_cast<Simd>(random() % (static_cast<unsigned>(simd_level()) + 1)));
    const auto queries = random_queries(rows, kQueries, random);
    const auto most = static_cast<unsigned>(random() % (distance + 1));
    ASSERT_EQ(search(level, queries, most), search_slowly(rows, queries, most))
        << "trial " << trial << ": " << plan.name << " for " << distance << " at " << most;
  }
}

TYPED_TEST(LevelTest, AnyAndNearestFindOneOfTheNearEnoughAndOneOfTheNearest) {
  using F = TypeParam;
  std::mt19937_64 random(2);
  const auto rows = random_rows<F>(3000, random);
  const auto queries = random_queries(rows, 200, random);
  const auto level = build(rows, *named_plan<F>("blocks4", 3));
  const auto all = search(*level, queries, 3);
  const auto any = search(*level, queries, 3, HitRule::any);
  const auto nearest = search(*level, queries, 3, HitRule::nearest);
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    const auto of_query = [&](const Hit<F>& hit) { return hit.query == q; };
    const auto first = std::find_if(all.begin(), all.end(), of_query);
    const auto some = std::find_if(any.begin(), any.end(), of_query);
    const auto near = std::find_if(nearest.begin(), nearest.end(), of_query);
    ASSERT_EQ(first == all.end(), some == any.end());
    ASSERT_EQ(first == all.end(), near == nearest.end());
    if (first == all.end()) continue;
    EXPECT_NE(std::find(all.begin(), all.end(), *some), all.end());
    EXPECT_EQ(near->distance, first->distance);
  }
}

TYPED_TEST(LevelTest, BucketsThatHoldTooMuchAreSearchedByTablesOfTheirOwn) {
  using F = TypeParam;
  std::mt19937_64 random(3);
  std::vector<Row<F>> rows;
  // All fingerprints share three of four blocks.
  for (std::uint64_t i = 0; i < 40000; ++i) rows.push_back({single_bit<F>(0) ^ near(F{}, 9, random, 16), i});
  const auto level = build(rows, *named_plan<F>("blocks4", 3));
  EXPECT_FALSE(level->parts().splits.empty());
  const auto queries = random_queries(rows, 32, random);
  for (const Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (simd > simd_level()) continue;
    level->use_kernels(simd);
    EXPECT_EQ(search(*level, queries, 3), search_slowly(rows, queries, 3)) << simd_name(simd);
  }
}

TEST(Level, BucketsAroundCodewordsHoldAllThatIsWithinTheRadius) {
  std::mt19937_64 random(4);
  const auto rows = random_rows<Fingerprint64>(5000, random);
  const auto queries = random_queries(rows, 200, random);
  const TableShape<Fingerprint64> shape{0x3fff'ffff'8000ull, 1, BucketCode::hamming31};
  auto image = build_level<Fingerprint64>(RowSpan<Fingerprint64>(rows), {shape}, 3);
  ASSERT_TRUE(image);
  Level<Fingerprint64> level(std::move(*image));
  auto expected = search_slowly(rows, queries, 3);
  std::erase_if(expected, [&](const Hit<Fingerprint64>& hit) {
    return count_ones((hit.fingerprint ^ queries[hit.query]) & shape.mask) > 1;
  });
  for (const Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (simd > simd_level()) continue;
    level.use_kernels(simd);
    EXPECT_EQ(search(level, queries, 3), expected) << simd_name(simd);
  }
}

TYPED_TEST(LevelTest, GivesItsRowsBackByNumber) {
  using F = TypeParam;
  std::mt19937_64 random(5);
  auto rows = random_rows<F>(5000, random);
  const auto level = build(rows, *named_plan<F>("blocks4", 3));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  ASSERT_EQ(level->size(), rows.size());
  for (const std::uint64_t step : {1u, 7u, 1000u, 100000u}) {
    std::vector<Row<F>> read;
    for (std::uint64_t first = 0; first < level->size(); first += step)
      ASSERT_TRUE(level->read(first, std::min(step, level->size() - first), read));
    std::sort(read.begin(), read.end());
    EXPECT_EQ(read, rows) << step;
  }
}

template <Fingerprint F>
std::string bytes_of(const Level<F>& level) {
  std::string bytes;
  EXPECT_TRUE(write_level(level.parts(), [&](std::string_view part) -> Result<void> {
    bytes += part;
    return {};
  }));
  return bytes;
}

TYPED_TEST(LevelTest, IsTheSameForAnyOrderOfItsRowsAndAnyWayToSortThem) {
  using F = TypeParam;
  std::mt19937_64 random(6);
  auto rows = random_rows<F>(5000, random);
  for (const bool narrow : {false, true}) {
    if (narrow)
      for (Row<F>& row : rows) row.id %= 1000;
    const auto plan = *named_plan<F>("choose5_2", 3);
    const std::string once = bytes_of(*build(rows, plan));
    std::shuffle(rows.begin(), rows.end(), random);
    EXPECT_TRUE(once == bytes_of(*build(rows, plan)));
    auto scattered = build_level<F>(RowSpan<F>(rows), *level_shapes(plan, rows.size()), 3, {}, {}, 100);
    ASSERT_TRUE(scattered);
    EXPECT_TRUE(once == bytes_of(Level<F>(std::move(*scattered))));
  }
}

TEST(Level, RefusesAPlanThatVisitsTooManyBuckets) {
  const auto plan = named_plan<Fingerprint64>("blocks2", 16);
  ASSERT_TRUE(plan);
  const auto shapes = level_shapes(*plan, 1000);
  ASSERT_FALSE(shapes);
  EXPECT_NE(shapes.error().message.find("radius"), std::string::npos);
}

}  // namespace
}  // namespace leitong::hamming
