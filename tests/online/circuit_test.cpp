// How often a server is tried, and how long it is left alone.
#include "online/circuit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace leitong::online {
namespace {

using ::testing::HasSubstr;

constexpr Remote kTwoTries{.tries = 2, .pause = std::chrono::seconds(60)};

TEST(Circuit, LeavesAServerAloneWhenAllTriesHaveFailed) {
  Circuit circuit("redis://a:1/seen", kTwoTries, StopToken());
  Circuit::Tries tries(circuit);
  EXPECT_TRUE(tries.again("it is away"));
  EXPECT_TRUE(circuit.check());
  const auto last = tries.again("it is away");
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().code, ErrorCode::io);
  EXPECT_EQ(last.error().message, "redis://a:1/seen: doesn't answer, asked 2 times: it is away");
  const auto next_call = circuit.check();
  ASSERT_FALSE(next_call);
  EXPECT_EQ(next_call.error().code, ErrorCode::io);
  EXPECT_THAT(next_call.error().message,
              HasSubstr("redis://a:1/seen: is not asked for another 60.0 seconds"));
}

TEST(Circuit, ExcusesOneIdleConnectionOfACall) {
  Circuit circuit("server", kTwoTries, StopToken());
  Circuit::Tries tries(circuit);
  EXPECT_TRUE(tries.excuse_idle());
  EXPECT_FALSE(tries.excuse_idle());
  EXPECT_TRUE(Circuit::Tries(circuit).excuse_idle());
}

TEST(Circuit, DoesNotWaitForTheNextTryAfterAStop) {
  const std::atomic<bool> stopped = true;
  Circuit circuit("server", kTwoTries, StopToken(stopped));
  Circuit::Tries tries(circuit);
  const auto again = tries.again("it is away");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace leitong::online
