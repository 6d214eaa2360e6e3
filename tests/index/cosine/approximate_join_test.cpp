#include "index/cosine/approximate_join.hpp"

#include <gmock/gmock.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "index/cosine/centres.hpp"
#include "index/cosine/rows.hpp"

namespace leitong {
namespace {

using test::make_rows;
using test::Pairs;
using test::Rows;
using testing::HasSubstr;

/// Groups the rows [0, count) that are connected through pairs.
class Parts {
 public:
  explicit Parts(std::size_t count) : root_(count), left_(count) { std::iota(root_.begin(), root_.end(), 0); }
  void join(const CosinePair& pair) {
    ++pairs_;
    if (pair.b >= root_.size() || find(pair.a) == find(pair.b)) return;
    root_[find(pair.a)] = find(pair.b);
    --left_;
  }
  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] std::uint64_t pairs() const { return pairs_; }

 private:
  std::size_t find(std::size_t row) {
    while (root_[row] != row) row = root_[row] = root_[root_[row]];
    return row;
  }
  std::vector<std::size_t> root_;
  std::size_t left_;
  std::uint64_t pairs_ = 0;
};

struct Outcome {
  Pairs pairs;
  ApproximateJoin join;
  Error error;
  std::vector<std::uint64_t> pairs_of_sample;
};

class ApproximateCosineJoin : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto available = Centres::available(); !available) {
      EXPECT_EQ(available.error().code, ErrorCode::unsupported);
      EXPECT_THAT(available.error().message, HasSubstr("run ./dev setup and build again, or search exactly"));
      GTEST_SKIP() << available.error().message;
    }
  }

  static Outcome join(const Rows& rows, double least, int threads = 2, std::uint64_t memory = 0,
                      Simd level = simd_level()) {
    Pairs pairs;
    Outcome outcome = join_to(
        [&](const CosinePair& pair) {
          pairs[{pair.a, pair.b}] = pair.cosine;
        },
        rows, least, threads, memory, level);
    outcome.pairs = std::move(pairs);
    return outcome;
  }
  static Outcome join_to(const std::function<void(const CosinePair&)>& each, const Rows& rows, double least,
                         int threads = 2, std::uint64_t memory = 0, Simd level = simd_level()) {
    const Context context;
    RunContext run(context, memory);
    run.memory.set_documents(rows.count());
    Outcome outcome;
    tbb::task_arena(threads).execute([&] {
      const auto opened = rows.open();
      const auto norms = measure_norms(
          *opened, [](std::uint64_t) { return true; }, [](std::uint64_t, std::string_view) {}, run);
      const auto add = [&](const CosinePair& pair) -> Result<void> {
        EXPECT_LT(pair.a, pair.b);
        each(pair);
        return {};
      };
      auto joined = join_approximately(*opened, *norms, least, run, add, level);
      if (!joined) {
        outcome.error = joined.error();
        return;
      }
      outcome.join = *std::move(joined);
      outcome.pairs_of_sample = *count_pairs_of(outcome.join.sample, *opened, *norms, least, run, level);
    });
    return outcome;
  }
  static Pairs exact(const Rows& rows, double least) {
    const Context context;
    RunContext run(context);
    const auto opened = rows.open();
    const auto norms = measure_norms(
        *opened, [](std::uint64_t) { return true; }, [](std::uint64_t, std::string_view) {}, run);
    Pairs pairs;
    EXPECT_TRUE(join_by_cosine(*opened, *norms, least, run, [&](const CosinePair& pair) -> Result<void> {
      pairs[{pair.a, pair.b}] = pair.cosine;
      return {};
    }));
    return pairs;
  }
};

TEST_F(ApproximateCosineJoin, FindsNearlyAllPairsAndNoOthers) {
  const Rows rows = make_rows(12'000, 100, 1);
  for (const double least : {.8, .95}) {
    const Pairs expected = exact(rows, least), found = join(rows, least).pairs;
    ASSERT_GT(expected.size(), 1'000U);
    EXPECT_GT(static_cast<double>(found.size()), .99 * static_cast<double>(expected.size()));
    for (const auto& [pair, cosine] : found) {
      const auto at = expected.find(pair);
      ASSERT_NE(at, expected.end()) << pair.first << " " << pair.second << " " << cosine;
      EXPECT_EQ(cosine, at->second);
    }
  }
}

TEST_F(ApproximateCosineJoin, IsTheSameForAnyThreadsMemoryAndInstructions) {
  const Rows rows = make_rows(10'000, 70, 2);
  const Outcome expected = join(rows, .8, 1);
  EXPECT_GT(expected.pairs.size(), 1'000U);
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > simd_level()) continue;
    const Outcome found = join(rows, .8, 4, MemoryBudget::least(10'000) + (8ULL << 20), level);
    EXPECT_EQ(found.pairs, expected.pairs);
    EXPECT_EQ(found.join.sample, expected.join.sample);
    EXPECT_EQ(found.pairs_of_sample, expected.pairs_of_sample);
  }
}

TEST_F(ApproximateCosineJoin, TheSampleIsComparedWithAllRows) {
  const Rows rows = make_rows(10'000, 40, 3);
  const Outcome found = join(rows, .9);
  ASSERT_EQ(found.join.sample.size(), 1024U);
  std::vector<std::uint64_t> expected(found.join.sample.size(), 0);
  const auto place = [&](std::uint64_t row) {
    return static_cast<std::size_t>(std::ranges::lower_bound(found.join.sample, row) -
                                    found.join.sample.begin());
  };
  const auto is_sampled = [&](std::uint64_t row) {
    return std::ranges::binary_search(found.join.sample, row);
  };
  for (const auto& [pair, cosine] : exact(rows, .9)) {
    if (is_sampled(pair.first)) {
      ++expected[place(pair.first)];
    } else if (is_sampled(pair.second)) {
      ++expected[place(pair.second)];
    }
  }
  EXPECT_EQ(found.pairs_of_sample, expected);
  EXPECT_GT(std::accumulate(expected.begin(), expected.end(), 0ULL), 100U);
}

// 5,000 rows of one direction: 12,497,500 pairs.
TEST_F(ApproximateCosineJoin, EqualRowsStayTogetherWithoutAllTheirPairs) {
  Rows rows = make_rows(10'000, 20, 4);
  for (std::uint64_t i = 1; i < 5'000; ++i) std::copy_n(rows.row(0), 20, rows.row(i));
  Parts parts(5'000);
  const Outcome found = join_to([&](const CosinePair& pair) { parts.join(pair); }, rows, .999);
  EXPECT_EQ(parts.left(), 1U);
  EXPECT_LT(parts.pairs(), 20'000U);
  EXPECT_EQ(found.join.limited, 5'000U - 64);
}

// 5,500 rows that differ a little: 15,122,250 pairs.
TEST_F(ApproximateCosineJoin, LargeFamiliesStayTogetherWithoutAllTheirPairs) {
  Rows rows = make_rows(10'000, 20, 5);
  for (std::uint64_t i = 1; i < 5'500; ++i) {
    std::copy_n(rows.row(0), 20, rows.row(i));
    rows.row(i)[i % 20] += .0001F * static_cast<float>(i);
  }
  Parts parts(5'500);
  const Outcome found = join_to([&](const CosinePair& pair) { parts.join(pair); }, rows, .9);
  EXPECT_EQ(parts.left(), 1U);
  EXPECT_LT(parts.pairs(), 15'122'250U);
  EXPECT_GT(found.join.limited, 0U);
}

TEST_F(ApproximateCosineJoin, RowsWithoutADirectionTakeNoPart) {
  Rows rows = make_rows(10'000, 20, 6);
  std::fill_n(rows.row(7), 20, 0.F);
  rows.row(9)[3] = std::numeric_limits<float>::quiet_NaN();
  const Outcome found = join(rows, .9);
  for (const auto& [pair, cosine] : found.pairs)
    for (const std::uint64_t row : {pair.first, pair.second}) EXPECT_TRUE(row != 7 && row != 9);
  EXPECT_GT(found.pairs.size(), 1'000U);
}

TEST_F(ApproximateCosineJoin, FewRowsAreComparedAllWithAll) {
  const Rows rows = make_rows(3'000, 30, 7);
  const Outcome found = join(rows, .7);
  EXPECT_EQ(found.pairs, exact(rows, .7));
  EXPECT_TRUE(found.join.sample.empty());
}

TEST_F(ApproximateCosineJoin, AStopEndsIt) {
  Context context;
  RunContext run(context);
  const Rows rows = make_rows(10'000, 8, 9);
  const auto opened = rows.open();
  const auto norms = measure_norms(
      *opened, [](std::uint64_t) { return true; }, [](std::uint64_t, std::string_view) {}, run);
  context.request_stop();
  const auto joined =
      join_approximately(*opened, *norms, .9, run, [](const CosinePair&) -> Result<void> { return {}; });
  ASSERT_FALSE(joined.has_value());
  EXPECT_EQ(joined.error().code, ErrorCode::cancelled);
}

TEST_F(ApproximateCosineJoin, SaysHowMuchMemoryItNeeds) {
  const Rows rows = make_rows(200'000, 2, 8);
  const Outcome found = join(rows, 1, 2, MemoryBudget::least(200'000));
  EXPECT_EQ(found.error.code, ErrorCode::limit);
  EXPECT_THAT(
      found.error.message,
      HasSubstr("200000 vectors needs 13 MB, and the memory budget leaves it 4 MB; give at least 102 MB"));
}

}  // namespace
}  // namespace leitong
