// An index on HBase when servers, networks and other clients fail: nothing is lost, waits are bounded, of
// near texts one is new, and every answer of a server is checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fingerprint_model.hpp"
#include "hbase_server.hpp"
#include "leitong/online.hpp"
#include "network.hpp"
#include "online/hbase/address.hpp"
#include "opened_index.hpp"
#include "redis_servers.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

Settings simhash(Remote remote = {}) {
  return {.scheme = "simhash", .params = {"features=chars", "distance=3"}, .remote = remote};
}

class OnlineHBase : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string why = no_hbase();
    if (!why.empty()) GTEST_SKIP() << "NOT TESTED ON HBASE: " << why;
  }
};

/// Fingerprints as texts, and ids with the same lifetime.
struct Prints {
  Prints(const std::vector<hamming::Fingerprint128>& all, const std::string& who = "") {
    for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(who + std::to_string(i));
    for (std::size_t i = 0; i < all.size(); ++i)
      texts.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
  }
  std::vector<std::string> ids;
  std::vector<Text> texts;
  [[nodiscard]] std::span<const Text> part(std::size_t first, std::size_t count) const {
    return std::span(texts).subspan(first, std::min(count, texts.size() - first));
  }
};

std::string modelled(FingerprintModel& model, std::span<const Text> texts) {
  std::string expected;
  for (const Text& text : texts) expected += model.add(std::string(text.id), *text.fingerprint);
  return expected;
}

TEST(OnlineAddressOfThrift, NamesServersAndAnIndex) {
  const auto parsed = parse_hbase_address("hbase://a:7000,b/seen-1?layout=wide&blocks=2&regions=16");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->servers, (std::vector<ServerAddress>{{"a", 7000}, {"b", 9090}}));
  EXPECT_EQ(parsed->name, "seen-1");
  EXPECT_TRUE(parsed->wide);
  EXPECT_FALSE(parsed->framed);
  EXPECT_EQ(parsed->blocks_in_key, 2u);
  EXPECT_EQ(parsed->regions, 16u);
  EXPECT_EQ(parsed->shown(), "hbase://a:7000,b:9090/seen-1");
  for (const char* wrong : {"hbase://", "hbase://host", "hbase://host/", "hbase://host:0/i", "hbase:///i",
                            "hbase://host/a{b}", "hbase://host/i?layout=other", "hbase://host/i?regions=0"}) {
    const auto refused = parse_hbase_address(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  }
}

TEST_F(OnlineHBase, AMissingServerIsReportedWithinABoundedTime) {
  const Context context;
  const auto begun = Clock::now();
  const auto opened = Index::open(context, "hbase://127.0.0.1:" + std::to_string(free_port()) + "/i",
                                  simhash({.connect = milliseconds(200), .tries = 3}));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::io);
  EXPECT_NE(opened.error().message.find("asked 3 times"), std::string::npos) << opened.error().message;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(5));
}

TEST_F(OnlineHBase, ASilentServerCostsABoundedTime) {
  const Listener silent([](int, const std::atomic<bool>& over) {
    while (!over) std::this_thread::sleep_for(milliseconds(5));
  });
  const Context context;
  const auto begun = Clock::now();
  const auto opened = Index::open(context, "hbase://127.0.0.1:" + std::to_string(silent.port()) + "/i",
                                  simhash({.answer = milliseconds(100), .tries = 3}));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("no answer in time"), std::string::npos) << opened.error().message;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(5));
}

// The process that has the connections stops, and goes on.
TEST_F(OnlineHBase, ASlowServerIsNotCalledForAWhileAndThenAgain) {
  HBaseServer& server = shared_hbase();
  const Context context;
  const Settings settings = simhash({.answer = milliseconds(700), .tries = 2, .pause = milliseconds(600)});
  Index index = value(Index::open(context, server.place("slow"), simhash()));
  index = value(Index::open(context, server.place("slow"), settings));
  const Prints one({hamming::Fingerprint128{1, 0}});
  server.pause_thrift();
  const auto failed = index.check_and_add(one.texts);
  const auto begun = Clock::now();
  const auto closed = index.check_and_add(one.texts);
  EXPECT_LT(Clock::now() - begun, milliseconds(200));
  server.go_on_thrift();
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("asked 2 times"), std::string::npos) << failed.error().message;
  ASSERT_FALSE(closed);
  EXPECT_NE(closed.error().message.find("is not asked for another"), std::string::npos)
      << closed.error().message;
  std::this_thread::sleep_for(milliseconds(700));
  EXPECT_EQ(verdicts(value(index.check_and_add(one.texts))), "new ");
}

TEST_F(OnlineHBase, ABatchWhoseConnectionIsLostIsSentAgainAndAddedOnce) {
  int lost = 0;
  for (std::uint32_t round = 0; round < 2; ++round) {
    const std::string index = "lost-" + std::to_string(round);
    const LosingProxy proxy(shared_hbase().port(), 52 + round, 30'000);
    const Prints prints(planted(64, 3, 300, 53 + round));
    value(Index::open(Context(), shared_hbase().place(index), simhash()));
    Opened opened(shared_hbase().place(index, proxy.port()), simhash({.tries = 60}));
    FingerprintModel model(3);
    for (std::size_t first = 0; first < prints.texts.size(); first += 100) {
      const auto batch = prints.part(first, 100);
      ASSERT_EQ(said(value(opened.index.check_and_add(batch))), modelled(model, batch));
    }
    lost += proxy.lost();
    const Opened direct(shared_hbase().place(index), simhash());
    EXPECT_EQ(value(direct.index.figures()).texts, prints.texts.size());
    const auto whole = direct.index.verify();
    EXPECT_TRUE(whole) << whole.error().message;
  }
  EXPECT_GT(lost, 3);
}

TEST_F(OnlineHBase, AThriftServerThatIsKilledAndStartedAgainIsWaitedFor) {
  HBaseServer& server = shared_hbase();
  const Prints prints(planted(64, 3, 400, 54));
  Opened opened(server.place("killed"), simhash({.tries = 60}));
  std::atomic<std::size_t> done = 0;
  FingerprintModel model(3);
  std::string expected, got;
  std::thread adder([&] {
    for (std::size_t i = 0; i < prints.texts.size(); i += 4) {
      const auto batch = prints.part(i, 4);
      expected += modelled(model, batch);
      const auto answers = opened.index.check_and_add(batch);
      got += answers ? said(*answers) : answers.error().message;
      done = i + 4;
    }
  });
  while (done < 100) std::this_thread::sleep_for(milliseconds(1));
  server.kill_thrift();
  server.start_thrift();
  adder.join();
  EXPECT_EQ(got, expected);
  EXPECT_EQ(value(opened.index.figures()).texts, prints.texts.size());
}

// Two clients, each with several threads, and the pairs in opposite orders.
TEST_F(OnlineHBase, OfNearTextsThatTwoClientsOfferAtOnceExactlyOneIsNew) {
  constexpr std::size_t kPairs = 240;
  std::mt19937_64 random(55);
  std::vector<hamming::Fingerprint128> ours, theirs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    ours.push_back({random(), 0});
    theirs.push_back({ours.back().low ^ (std::uint64_t{1} << i % 64), 0});
  }
  std::ranges::reverse(theirs);
  const Prints a(ours, "a"), b(theirs, "b");
  Opened one(shared_hbase().place("raced"), simhash()), other(shared_hbase().place("raced"), simhash());
  std::array<std::string, kPairs> verdict_of_a, verdict_of_b;
  std::atomic<std::size_t> next_a = 0, next_b = 0;
  const auto add_all = [](Index& index, const Prints& prints, std::atomic<std::size_t>& next,
                          std::array<std::string, kPairs>& verdicts_of) {
    for (std::size_t first = next.fetch_add(8); first < kPairs; first = next.fetch_add(8)) {
      const std::vector<Answer> answers = value(index.check_and_add(prints.part(first, 8)));
      for (std::size_t i = 0; i < answers.size(); ++i)
        verdicts_of[first + i] = verdict_name(answers[i].verdict);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] { add_all(one.index, a, next_a, verdict_of_a); });
    threads.emplace_back([&] { add_all(other.index, b, next_b, verdict_of_b); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::string both = verdict_of_a[i] + " " + verdict_of_b[kPairs - 1 - i];
    EXPECT_TRUE(both == "new near" || both == "near new") << i << ": " << both;
  }
  EXPECT_EQ(value(one.index.figures()).fresh, kPairs);
  const auto whole = one.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// A client loses its server in the middle of a batch and gives up. Another one carries out what was
// committed.
TEST_F(OnlineHBase, CommitsOfAClientThatIsGoneAreCarriedOutByOthers) {
  std::mt19937_64 random(56);
  std::vector<hamming::Fingerprint128> ours, theirs;
  for (int i = 0; i < 60; ++i) {
    ours.push_back({random(), 0});
    theirs.push_back({ours.back().low ^ 1, 0});
  }
  const Prints a(ours, "a"), b(theirs, "b");
  Opened other(shared_hbase().place("gone"), simhash());
  int failed = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const LosingProxy proxy(shared_hbase().port(), seed, 1000);
    const Context context;
    auto opened = Index::open(context, shared_hbase().place("gone", proxy.port()), simhash({.tries = 1}));
    if (opened) failed += !opened->check_and_add(a.part(seed * 5, 5));
  }
  EXPECT_GT(failed, 3);
  const std::string near = said(value(other.index.check_and_add(b.texts)));
  const std::string again = said(value(other.index.check_and_add(a.texts)));
  // One text of each pair is new.
  std::size_t fresh = 0;
  for (const std::string& all : {near, again})
    for (std::size_t at = all.find("new "); at != std::string::npos; at = all.find("new ", at + 1)) ++fresh;
  EXPECT_EQ(fresh, 60u) << near << "\n" << again;
  const auto whole = other.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// The region server counts how often filters were used, and how often they excluded a row.
TEST_F(OnlineHBase, BloomFiltersAreUsedAndAvoidReads) {
  HBaseServer& server = shared_hbase();
  Opened opened(server.place("bloom") + "?regions=1", simhash());
  std::mt19937_64 random(57);
  std::vector<hamming::Fingerprint128> there, absent;
  for (int i = 0; i < 3000; ++i) there.push_back({random() & 0x7fff'7fff'7fff'7fff, 0});
  // No segment of these is there.
  for (int i = 0; i < 100; ++i) absent.push_back({random() | 0x8000'8000'8000'8000, 0});
  const Prints prints(there);
  value(opened.index.add(prints.texts));
  // Rows must be in files that have filters, and counters must be written, which takes some seconds.
  constexpr std::uint64_t kAsked = 400;
  std::uint64_t asked = 0, spared = 0;
  for (const auto end = Clock::now() + std::chrono::seconds(40); asked < kAsked && Clock::now() < end;) {
    const std::uint64_t asked_before = server.counter("bloomFilterRequestsCount"),
                        spared_before = server.counter("bloomFilterNegativeResultsCount");
    EXPECT_EQ(std::ranges::count(said(value(opened.index.check(absent))), 'n'), 100);
    for (int waits = 0; waits < 12 && asked < kAsked; ++waits) {
      std::this_thread::sleep_for(milliseconds(500));
      asked = server.counter("bloomFilterRequestsCount") - asked_before;
      spared = server.counter("bloomFilterNegativeResultsCount") - spared_before;
    }
  }
  EXPECT_GE(asked, kAsked);
  EXPECT_GE(spared, asked * 95 / 100);
}

// No answer is what was requested.
TEST_F(OnlineHBase, AHostileServerIsAnsweredWithErrors) {
  const std::vector<std::string> seeds = {
      std::string("\x82\x41\x01\x0bgetMultiple\x09\x00\x0c\x00", 18),
      std::string("\x82\x41\x01\x0bgetMultiple\x09\x00\x1c\x19\x1c\x18\x01i\x18\x06"
                  "format\x18\x1fleitong online index on hbase 4\x00\x00\x00",
                  63),
      std::string("\x82\x61\x01\x0bgetMultiple\x18\x04oops\x15\x0c\x00", 24),
      std::string("\x82\x41\x01\x0bgetMultiple\x1c\x18\x09leitong_i\x00\x00", 29),
      std::string("\x82\x41\x01\x0bgetMultiple\x09\x00\xfc\xff\xff\xff\xff\x07", 22),
      std::string("\x82\x41\x01\x0b"
                  "createTable\x00",
                  16),
      std::string("\x82\x41\x01\xff\xff\xff\xff\x0f", 8),
      std::string("\x80\x01\x00\x02\x00\x00\x00\x0bgetMultiple\x00\x00\x00\x01\x00", 24),
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      "-ERR unknown command\r\n",
      std::string(64, '\0')};
  const HostileServer hostile(seeds, 58);
  const Context context;
  for (int i = 0; i < 150; ++i) {
    const auto opened = Index::open(context, "hbase://127.0.0.1:" + std::to_string(hostile.port()) + "/i",
                                    simhash({.connect = milliseconds(100),
                                             .answer = milliseconds(20),
                                             .tries = 2,
                                             .pause = milliseconds(0)}));
    ASSERT_FALSE(opened);
    EXPECT_FALSE(opened.error().message.empty());
  }
}

TEST_F(OnlineHBase, AnswersThatAreDamagedOnTheWayAreRefused) {
  DamagingProxy proxy(shared_hbase().port(), 59);
  const auto all = planted(64, 3, 100, 60);
  value(Index::open(Context(), shared_hbase().place("damaged"), simhash()));
  Opened opened(shared_hbase().place("damaged", proxy.port()),
                simhash({.answer = milliseconds(2000), .tries = 2, .pause = milliseconds(0)}));
  const Prints prints(all);
  value(opened.index.check_and_add(prints.texts));
  const std::string expected = said(value(opened.index.check(all)));
  Opened hasty(shared_hbase().place("damaged", proxy.port()),
               simhash({.answer = milliseconds(100), .tries = 2, .pause = milliseconds(0)}));
  proxy.damage = true;
  int failed = 0;
  for (int i = 0; i < 12; ++i) {
    failed += !hasty.index.check(all);
    failed += !hasty.index.get("7");
    failed += !hasty.index.for_each([](const Stored&) -> Result<void> { return {}; });
  }
  EXPECT_GT(failed, 6);  // a changed byte of an id cannot be detected
  proxy.damage = false;
  EXPECT_EQ(said(value(opened.index.check(all))), expected);
}

}  // namespace
}  // namespace leitong::online
