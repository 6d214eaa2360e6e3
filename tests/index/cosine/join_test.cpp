#include "index/cosine/join.hpp"

#include <gmock/gmock.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "index/cosine/kernels.hpp"
#include "index/cosine/rows.hpp"

namespace leitong {
namespace {

using test::make_rows;
using test::Pairs;
using test::Rows;

Pairs slow_join(Rows& rows, double least, const std::vector<bool>& left_out = {}) {
  Pairs pairs;
  std::vector<double> x(rows.dimensions), y(rows.dimensions);
  for (std::uint64_t a = 0; a < rows.count(); ++a)
    for (std::uint64_t b = a + 1; b < rows.count(); ++b) {
      if (!left_out.empty() && (left_out[a] || left_out[b])) continue;
      long double product = 0, xx = 0, yy = 0;
      for (std::size_t k = 0; k < rows.dimensions; ++k) {
        const long double p = rows.row(a)[k], q = rows.row(b)[k];
        product += p * q;
        xx += p * p;
        yy += q * q;
      }
      const auto cosine = static_cast<double>(product / std::sqrt(xx * yy));
      if (cosine >= least) pairs[{a, b}] = cosine;
    }
  return pairs;
}

struct Found {
  Pairs pairs;
  std::vector<std::pair<std::uint64_t, std::string>> unusable;
};

Found join(
    const Rows& rows, double least, std::uint64_t memory = 0, int threads = 2, Simd level = simd_level(),
    const std::function<bool(std::uint64_t)>& takes_part = [](std::uint64_t) { return true; }) {
  const Context context;
  RunContext run(context, memory);
  Found found;
  tbb::task_arena arena(threads);
  arena.execute([&] {
    const auto opened = rows.open();
    const auto norms = measure_norms(
        *opened, takes_part,
        [&](std::uint64_t row, std::string_view why) { found.unusable.emplace_back(row, why); }, run);
    ASSERT_TRUE(norms.has_value()) << norms.error().message;
    const auto add = [&](const CosinePair& pair) -> Result<void> {
      EXPECT_LT(pair.a, pair.b);
      EXPECT_TRUE(found.pairs.emplace(std::pair(pair.a, pair.b), pair.cosine).second) << "a pair comes once";
      return {};
    };
    const auto joined = join_by_cosine(*opened, *norms, least, run, add, level);
    ASSERT_TRUE(joined.has_value()) << joined.error().message;
  });
  return found;
}

void expect_same(const Pairs& found, const Pairs& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [pair, cosine] : expected) {
    const auto at = found.find(pair);
    ASSERT_NE(at, found.end()) << pair.first << " " << pair.second << " " << cosine;
    EXPECT_NEAR(at->second, cosine, 1e-12);
  }
}

TEST(CosineJoin, FindsExactlyWhatComparingEverythingFinds) {
  for (const std::size_t dimensions : {1u, 3u, 63u, 64u, 65u, 200u, 384u}) {
    Rows rows = make_rows(333, dimensions, dimensions);
    for (const double least : {.2, .7, .9, .99}) {
      const Pairs expected = slow_join(rows, least);
      if (dimensions > 60) {
        EXPECT_GE(expected.size(), 5u);
      }
      for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
        if (level <= simd_level()) expect_same(join(rows, least, 0, 2, level).pairs, expected);
    }
  }
}

// The least memory makes stripes of a few panels.
TEST(CosineJoin, IsTheSameForAnyMemoryAndNumberOfThreads) {
  Rows rows = make_rows(2000, 1500, 5);
  const Pairs expected = join(rows, .8, 0, 1).pairs;
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(join(rows, .8, MemoryBudget::least(2000), 4).pairs, expected);
  EXPECT_EQ(join(rows, .8, MemoryBudget::least(2000), 1).pairs, expected);
}

TEST(CosineJoin, EqualDirectionsOfAnyLengthHaveACosineOfOne) {
  Rows rows{{.1F, .2F, .7F, .1F, .2F, .7F, -.1F, -.2F, -.7F, .8F, 1.6F, 5.6F}, 3};
  const Pairs pairs = join(rows, 1).pairs;
  EXPECT_EQ(pairs, (Pairs{{{0, 1}, 1.0}, {{0, 3}, 1.0}, {{1, 3}, 1.0}}));
}

TEST(CosineJoin, ManyNearRowsAreAllPairs) {
  Rows rows{std::vector<float>(300 * 40, 1), 40};
  for (std::uint64_t i = 0; i < 300; ++i) rows.row(i)[0] = 1 + static_cast<float>(i) / 1000;
  EXPECT_EQ(join(rows, .99).pairs.size(), 300u * 299 / 2);
}

TEST(CosineJoin, RowsWithoutADirectionAreNamedAndTakeNoPart) {
  Rows rows = make_rows(100, 70, 9);
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN(),
                  kInfinite = std::numeric_limits<float>::infinity();
  rows.row(3)[69] = kNone;
  rows.row(40)[0] = -kInfinite;
  std::fill_n(rows.row(41), 70, 0.F);
  std::fill_n(rows.row(99), 70, kNone);
  std::vector<bool> left_out(100);
  for (const int i : {3, 40, 41, 99, 50}) left_out[static_cast<std::size_t>(i)] = true;
  const Found found = join(rows, .1, 0, 2, simd_level(), [](std::uint64_t row) { return row != 50; });
  expect_same(found.pairs, slow_join(rows, .1, left_out));
  ASSERT_EQ(found.unusable.size(), 4u);
  EXPECT_EQ(found.unusable[0].first, 3u);
  EXPECT_THAT(found.unusable[0].second, testing::HasSubstr("missing or NaN"));
  EXPECT_THAT(found.unusable[1].second, testing::HasSubstr("infinite"));
  EXPECT_THAT(found.unusable[2].second, testing::HasSubstr("zero"));
  EXPECT_EQ(found.unusable[3].first, 99u);
}

TEST(CosineJoin, ProductsOfWholeNumbersAreExactOnEveryProcessor) {
  std::mt19937 random(3);
  for (const std::size_t width : {kWholeStep, 6 * kWholeStep}) {
    std::vector<std::int16_t> x(width), y(width);
    std::int64_t exact = 0;
    for (std::size_t k = 0; k < width; ++k) {
      x[k] = static_cast<std::int16_t>(random() % 301 - 150);
      y[k] = static_cast<std::int16_t>(random() % 301 - 150);
      exact += std::int64_t{x[k]} * y[k];
    }
    for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
      if (level > simd_level()) continue;
      EXPECT_EQ(cosine_kernels(level).product(x.data(), y.data(), width), static_cast<float>(exact));
    }
  }
}

TEST(CosineJoin, ReadingThatFailsAndAStopEndIt) {
  class Broken final : public VectorRows {
   public:
    Broken() { shape_ = {100, 4, VectorNumber::float32}; }
    Result<void> read(std::uint64_t, std::uint64_t, std::byte*) const override {
      return fail(ErrorCode::io, "the disk is gone");
    }
  };
  Context context;
  RunContext run(context);
  const auto norms = measure_norms(
      Broken(), [](std::uint64_t) { return true; }, [](std::uint64_t, std::string_view) {}, run);
  ASSERT_FALSE(norms.has_value());
  EXPECT_EQ(norms.error().message, "the disk is gone");

  const Rows rows = make_rows(100, 8, 1);
  const auto opened = rows.open();
  const auto good = measure_norms(
      *opened, [](std::uint64_t) { return true; }, [](std::uint64_t, std::string_view) {}, run);
  context.request_stop();
  const auto joined =
      join_by_cosine(*opened, *good, .5, run, [](const CosinePair&) -> Result<void> { return {}; });
  ASSERT_FALSE(joined.has_value());
  EXPECT_EQ(joined.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace leitong
