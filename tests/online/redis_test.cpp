// An index on Redis when servers and networks fail: nothing is lost, waits are bounded, and every answer of a
// server is checked.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fingerprint_model.hpp"
#include "leitong/online.hpp"
#include "network.hpp"
#include "online/redis/address.hpp"
#include "opened_index.hpp"
#include "redis_servers.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

Settings simhash(Remote remote = {}) {
  return {.scheme = "simhash", .params = {"features=chars", "distance=3"}, .remote = remote};
}

class OnlineRedis : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = no_redis(); !why.empty()) GTEST_SKIP() << "NOT TESTED ON REDIS: " << why;
  }
  TempFolder folder_{"redis"};
};

TEST(OnlineRedisAddress, NamesServersAndAnIndex) {
  const auto parsed = parse_redis_address("redis://me:se@cret@a:7000,b/seen-1?layout=sets&blocks=2");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->servers, (std::vector<ServerAddress>{{"a", 7000}, {"b", 6379}}));
  EXPECT_EQ(parsed->user, "me");
  EXPECT_EQ(parsed->password, "se@cret");
  EXPECT_EQ(parsed->name, "seen-1");
  EXPECT_TRUE(parsed->sets);
  EXPECT_EQ(parsed->blocks_in_key, 2u);
  EXPECT_EQ(parsed->shown(), "redis://a:7000,b:6379/seen-1");
  for (const char* wrong :
       {"redis://", "redis://host", "redis://host/", "redis://host:0/i", "redis://host:x/i", "redis:///i",
        "redis://host/a{b}", "redis://host/i?layout=other"}) {
    const auto refused = parse_redis_address(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  }
}

TEST_F(OnlineRedis, AMissingServerIsReportedAndNotCalledForAWhile) {
  const Context context;
  const Settings settings = simhash({.connect = milliseconds(200), .tries = 3, .pause = milliseconds(400)});
  const auto begun = Clock::now();
  const auto opened =
      Index::open(context, "redis://127.0.0.1:" + std::to_string(free_port()) + "/i", settings);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::io);
  EXPECT_NE(opened.error().message.find("asked 3 times"), std::string::npos) << opened.error().message;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(5));
}

// The server may have lost its latest writes, whose numbers other texts get.
TEST_F(OnlineRedis, ACursorEndsWithItsServer) {
  const int port = free_port();
  const std::string place = "redis://127.0.0.1:" + std::to_string(port) + "/i";
  const std::string lines = "appendonly yes\nappendfsync always\n";
  auto server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, lines);
  const Context context;
  Index index = value(Index::open(context, place, simhash()));
  const std::vector<Text> one = {{"a", "渡船清晨六点开第一班"}};
  value(index.check_and_add(one));
  const std::string cursor = value(index.changes()).cursor;
  EXPECT_EQ(value(index.changes(cursor)).changes.size(), 0u);
  server->kill();
  server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, lines);
  const auto refused = index.changes(cursor);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found) << refused.error().message;
  EXPECT_EQ(value(index.changes()).changes.size(), 1u);
}

// An addition to a deleted index would leave a part of an index that no client could open.
TEST_F(OnlineRedis, AnIndexThatIsGoneIsRefusedUntilItIsOpenedAgain) {
  const int port = free_port();
  const std::string place = "redis://127.0.0.1:" + std::to_string(port) + "/i";
  const RedisServerProcess server(folder_.path() / "s", port);
  const Context context;
  Index index = value(Index::open(context, place, simhash()));
  const std::vector<Text> one = {{"a", "渡船清晨六点开第一班"}};
  value(index.check_and_add(one));
  EXPECT_EQ(redis_cli(port, "FLUSHALL"), "OK\n");
  const auto refused = index.check_and_add(one);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("open it again"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(index.check(std::vector<std::string_view>{one[0].text}));
  EXPECT_FALSE(index.remove("a"));
  EXPECT_EQ(redis_cli(port, "DBSIZE"), "0\n");
  Index anew = value(Index::open(context, place, simhash()));
  EXPECT_EQ(value(anew.check_and_add(one))[0].verdict, Verdict::fresh);
  EXPECT_FALSE(index.check_and_add(one));
}

// More connections were kept than a call is tried.
TEST_F(OnlineRedis, ConnectionsThatTheServerClosedWhileTheyWereIdleAreNoFailedTries) {
  const int port = free_port();
  const RedisServerProcess server(folder_.path() / "s", port);
  const Context context;
  Index index = value(Index::open(context, "redis://127.0.0.1:" + std::to_string(port) + "/i",
                                  simhash({.tries = 2, .pause = milliseconds(10000)})));
  std::vector<std::thread> many;
  std::atomic<int> at_once = 0;
  for (int t = 0; t < 8; ++t)
    many.emplace_back([&] {
      ++at_once;
      while (at_once < 8) std::this_thread::yield();
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(index.check(std::vector<std::string_view>{"渡船"}));
    });
  for (std::thread& thread : many) thread.join();
  for (int round = 0; round < 3; ++round) {
    redis_cli(port, "CLIENT KILL TYPE normal SKIPME yes");
    const auto answered = index.check(std::vector<std::string_view>{"渡船"});
    EXPECT_TRUE(answered) << answered.error().message;
  }
}

// The state of an older index: so many removals are forgotten that the list begins later.
TEST_F(OnlineRedis, ACursorOlderThanTheRemovalsThatAreKnownIsRefused) {
  const int port = free_port();
  const RedisServerProcess server(folder_.path() / "s", port);
  const Context context;
  Index index = value(Index::open(context, "redis://127.0.0.1:" + std::to_string(port) + "/i", simhash()));
  const std::string begin = value(index.changes()).cursor;
  for (const std::string_view id : {"a", "b", "c"}) {
    const std::vector<Text> one = {{id, id}};
    value(index.add(one));
    EXPECT_TRUE(value(index.remove(id)));
  }
  EXPECT_EQ(value(index.changes(begin)).changes.size(), 3u);
  redis_cli(port, "LTRIM leitong:{i}:left -1 -1");
  EXPECT_EQ(index.changes(begin).error().code, ErrorCode::not_found);
  EXPECT_EQ(value(index.changes()).changes.size(), 0u);
}

TEST_F(OnlineRedis, ASilentServerCostsABoundedTime) {
  const Listener silent([](int, const std::atomic<bool>& over) {
    while (!over) std::this_thread::sleep_for(milliseconds(5));
  });
  const Context context;
  const auto begun = Clock::now();
  const auto opened =
      Index::open(context, silent.place(), simhash({.answer = milliseconds(100), .tries = 3}));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("no answer within 100 ms"), std::string::npos)
      << opened.error().message;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(5));
}

TEST_F(OnlineRedis, AfterFailedTriesCallsFailAtOnceUntilThePauseIsOver) {
  const int port = free_port();
  auto server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, "appendonly yes\n");
  const Context context;
  const Settings settings = simhash({.tries = 2, .pause = milliseconds(300)});
  Index index = value(Index::open(context, "redis://127.0.0.1:" + std::to_string(port) + "/i", settings));
  server->kill();
  const std::vector<Text> one = {{.id = "a", .text = {}, .fingerprint = hamming::Fingerprint128{1, 0}}};
  const auto failed = index.check_and_add(one);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("asked 2 times"), std::string::npos) << failed.error().message;
  const auto closed = index.check_and_add(one);
  ASSERT_FALSE(closed);
  EXPECT_NE(closed.error().message.find("is not asked for another"), std::string::npos)
      << closed.error().message;
  server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, "appendonly yes\n");
  std::this_thread::sleep_for(milliseconds(350));
  EXPECT_EQ(verdicts(value(index.check_and_add(one))), "new ");
}

TEST_F(OnlineRedis, AServerThatIsKilledAndStartedAgainLosesNothingAndIsWaitedFor) {
  const int port = free_port();
  const std::string durable = "appendonly yes\nappendfsync always\n";
  auto server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, durable);
  const auto all = planted(64, 3, 1500, 51);
  Opened opened("redis://127.0.0.1:" + std::to_string(port) + "/i", simhash({.tries = 60}));
  std::atomic<std::size_t> done = 0;
  FingerprintModel model(3);
  std::string expected, got;
  std::thread adder([&] {
    for (std::size_t i = 0; i < all.size(); ++i, ++done) {
      const std::string id = std::to_string(i);
      expected += model.add(id, all[i]);
      const std::vector<Text> one = {{.id = id, .text = {}, .fingerprint = all[i]}};
      const auto answers = opened.index.check_and_add(one);
      got += answers ? said(*answers) : answers.error().message;
    }
  });
  for (const std::size_t at : {200u, 700u, 1200u}) {
    while (done < at) std::this_thread::sleep_for(milliseconds(1));
    server->kill();
    server = std::make_unique<RedisServerProcess>(folder_.path() / "s", port, durable);
  }
  adder.join();
  EXPECT_EQ(got, expected);
  EXPECT_EQ(value(opened.index.figures()).texts, all.size());
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// Texts that were added before the connection was lost are known when they are sent again.
TEST_F(OnlineRedis, ABatchWhoseConnectionIsLostIsSentAgainAndAddedOnce) {
  const RedisServerProcess server(folder_.path() / "s", free_port());
  const LosingProxy proxy(server.port(), 52, 6000);
  const auto all = planted(64, 3, 2000, 53);
  Opened opened(proxy.place(), simhash({.tries = 40}));
  FingerprintModel model(3);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t first = 0; first < all.size(); first += 100) {
    std::vector<Text> batch;
    std::string expected;
    for (std::size_t i = first; i < first + 100; ++i) {
      batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
      expected += model.add(ids[i], all[i]);
    }
    ASSERT_EQ(said(value(opened.index.check_and_add(batch))), expected);
  }
  EXPECT_GT(proxy.lost(), 10);
  EXPECT_EQ(value(opened.index.figures()).texts, all.size());
}

TEST_F(OnlineRedis, AFullServerRefusesAdditionsAndContinuesToAnswer) {
  const RedisServerProcess server(folder_.path() / "s", free_port(),
                                  "maxmemory 3mb\nmaxmemory-policy noeviction\n");
  const auto all = planted(64, 3, 40'000, 54);
  Opened opened("redis://127.0.0.1:" + std::to_string(server.port()) + "/i", simhash());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(std::to_string(i));
  std::size_t first = 0;
  std::string why;
  for (; first < all.size() && why.empty(); first += 64) {
    std::vector<Text> batch;
    for (std::size_t i = first; i < first + 64; ++i)
      batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
    const auto added = opened.index.check_and_add(batch);
    if (!added) why = added.error().message;
  }
  EXPECT_NE(why.find("no memory left"), std::string::npos) << why;
  EXPECT_NE(said(value(opened.index.check(std::span(all).first(1)))), "new ");
  EXPECT_TRUE(value(opened.index.remove("0")));
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// No answer is what was requested.
TEST_F(OnlineRedis, AHostileServerIsAnsweredWithErrors) {
  const std::vector<std::string> seeds = {"+OK\r\n",
                                          ":1\r\n",
                                          "$-1\r\n",
                                          "*-1\r\n",
                                          "*0\r\n",
                                          "$3\r\nabc\r\n",
                                          "*2\r\n$1\r\na\r\n:7\r\n",
                                          "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
                                          "-MOVED 1 :0\r\n",
                                          "-MOVED 3999 127.0.0.1:1\r\n",
                                          "-MOVED\r\n",
                                          "-ERR Function not found\r\n",
                                          "-LOADING\r\n",
                                          "-\r\n",
                                          "$99999999999999999999\r\n",
                                          "*99\r\n",
                                          "%1\r\n+a\r\n+b\r\n",
                                          "\r\n",
                                          "HTTP/1.1 400 Bad Request\r\n\r\n",
                                          "*2\r\n$6\r\nformat\r\n$30\r\nleitong online index on redis 1\r\n"};
  const HostileServer hostile(seeds, 55);
  const Context context;
  for (int i = 0; i < 150; ++i) {
    const auto opened = Index::open(context, hostile.place(),
                                    simhash({.connect = milliseconds(100),
                                             .answer = milliseconds(20),
                                             .tries = 2,
                                             .pause = milliseconds(0)}));
    ASSERT_FALSE(opened);
    EXPECT_FALSE(opened.error().message.empty());
  }
}

TEST_F(OnlineRedis, AnswersThatAreDamagedOnTheWayAreRefused) {
  const RedisServerProcess server(folder_.path() / "s", free_port());
  DamagingProxy proxy(server.port(), 56);
  const auto all = planted(64, 3, 300, 57);
  Opened opened(proxy.place(), simhash({.answer = milliseconds(50), .tries = 2, .pause = milliseconds(0)}));
  std::vector<std::string> ids;
  std::vector<Text> batch;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < all.size(); ++i)
    batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
  value(opened.index.check_and_add(batch));
  const std::string expected = said(value(opened.index.check(all)));
  proxy.damage = true;
  int failed = 0;
  for (int i = 0; i < 60; ++i) {
    failed += !opened.index.check(all);
    failed += !opened.index.get("7");
    failed += !opened.index.for_each([](const Stored&) -> Result<void> { return {}; });
  }
  EXPECT_GT(failed, 20);  // a changed byte of an id or of a number cannot be detected
  proxy.damage = false;
  EXPECT_EQ(said(value(opened.index.check(all))), expected);
}

}  // namespace
}  // namespace leitong::online
