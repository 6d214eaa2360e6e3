// Loops over independent items, and loops whose results are taken in order.
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

namespace leitong {
namespace {

constexpr std::size_t kItems = 10'000;

int no_local() { return 0; }

class ParallelInOrder : public ::testing::TestWithParam<int> {
 protected:
  template <class Work, class Take>
  Result<void> run(std::size_t n, Work work, Take take, StopToken stop = {}) {
    Result<void> result;
    tbb::task_arena arena(GetParam());
    arena.execute([&] { result = parallel_in_order(stop, n, no_local, work, take); });
    return result;
  }
};

TEST_P(ParallelInOrder, TakesEachItemAfterItsWorkAndAfterThoseBeforeIt) {
  std::vector<std::atomic<bool>> worked(kItems);
  std::vector<std::size_t> taken;
  ASSERT_TRUE(run(
      kItems,
      [&](std::size_t i, int) -> Result<void> {
        worked[i] = true;
        return {};
      },
      [&](std::size_t i) -> Result<void> {
        EXPECT_TRUE(worked[i]);
        taken.push_back(i);
        return {};
      }));
  std::vector<std::size_t> all(kItems);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(taken, all);
}

TEST_P(ParallelInOrder, OfNothingDoesNothing) {
  const auto fails = [](std::size_t i, auto...) -> Result<void> {
    return fail(ErrorCode::io, std::to_string(i));
  };
  EXPECT_TRUE(run(0, fails, fails));
}

TEST_P(ParallelInOrder, ReturnsTheFirstFailureAndTakesNothingAfterIt) {
  constexpr std::size_t kFirst = 777;
  for (const bool of_work : {true, false}) {
    std::size_t taken = 0;
    const auto fails = [](std::size_t i) -> Result<void> {
      if (i < kFirst) return {};
      return fail(ErrorCode::io, std::to_string(i));
    };
    const auto result = run(
        kItems, [&](std::size_t i, int) { return of_work ? fails(i) : Result<void>{}; },
        [&](std::size_t i) -> Result<void> {
          Result<void> one = of_work ? Result<void>{} : fails(i);
          taken += one ? 1 : 0;
          return one;
        });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, std::to_string(kFirst));
    EXPECT_LE(taken, kFirst);
  }
}

TEST_P(ParallelInOrder, EndsAfterAStop) {
  std::atomic<bool> stop{false};
  std::size_t taken = 0;
  const auto result = run(
      kItems, [](std::size_t, int) { return Result<void>{}; },
      [&](std::size_t i) -> Result<void> {
        ++taken;
        if (i == 100) stop = true;
        return {};
      },
      StopToken(stop));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_EQ(taken, 101);
}

INSTANTIATE_TEST_SUITE_P(OnThreads, ParallelInOrder, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace leitong
