// What a loop does after a stop.
#include "base/stop.hpp"

#include <gtest/gtest.h>

#include "base/parallel.hpp"

namespace leitong {
namespace {

TEST(Stop, ALoopLeavesOutWhatIsLeft) {
  std::atomic<bool> flag = false;
  std::atomic<int> done = 0;
  const Result<void> stopped = parallel_for_each(
      StopToken(flag), 1000, [] { return 0; },
      [&](std::size_t, int) -> Result<void> {
        ++done;
        flag = true;
        return {};
      });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_LT(done, 1000);
}

TEST(Stop, ATokenOfNothingNeverStops) {
  EXPECT_FALSE(StopToken().stop_requested());
  EXPECT_TRUE(StopToken().check());
}

}  // namespace
}  // namespace leitong
