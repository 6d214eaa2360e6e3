// What a process that is to stop still does.
#include "base/stop.hpp"

#include <gtest/gtest.h>

#include "base/parallel.hpp"

namespace leitong {
namespace {

TEST(Stop, ALoopLeavesOutWhatIsLeft) {
  std::atomic<int> done = 0;
  const auto loop = [&] {
    return parallel_for_each(
        1000, [] { return 0; },
        [&](std::size_t, int) -> Result<void> {
          ++done;
          stop_flag() = true;
          return {};
        });
  };
  const Result<void> stopped = loop();
  stop_flag() = false;
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_LT(done, 1000);
}

}  // namespace
}  // namespace leitong
