// An index on Redis that compares texts gives the answers of an index in a folder, even if other clients add
// to it, and server and network fail.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "developers_texts.hpp"
#include "leitong/online.hpp"
#include "mixed_texts.hpp"
#include "network.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "redis_servers.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;

class OnlineRedisTexts : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = no_redis(); !why.empty()) GTEST_SKIP() << "NOT TESTED ON REDIS: " << why;
    server_ = started();
  }
  std::unique_ptr<RedisServerProcess> started(const std::string& more = {}) {
    return std::make_unique<RedisServerProcess>(folder_.path() / "s", port_, more);
  }
  [[nodiscard]] std::string place(const std::string& name = "i") const {
    return "redis://127.0.0.1:" + std::to_string(port_) + "/" + name;
  }
  [[nodiscard]] std::string cli(const std::string& command) const { return redis_cli(port_, command); }
  /// Makes an index whose first level of buckets is for so few texts that others follow.
  void make_with_levels(int first_texts) {
    const Opened made(place());
    cli("HSET 'leitong:{i}:meta' first_texts " + std::to_string(first_texts));
  }
  void compare_while_buckets_become_more(int first_texts, const std::string& levels);
  /// A folder for an index with the secret of the one on the server: so the two have the same keys.
  [[nodiscard]] std::filesystem::path folder_of_the_same_secret() const {
    const std::string hex = cli("HGET 'leitong:{i}:meta' secret");
    const std::filesystem::path folder = folder_.path() / "folder";
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / "secret", std::ios::binary);
    for (const std::size_t at : {0u, 16u}) {
      const std::uint64_t word = std::stoull(hex.substr(at, 16), nullptr, 16);
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
    return folder;
  }

  TempFolder folder_{"redis"};
  int port_ = free_port();
  std::unique_ptr<RedisServerProcess> server_;
};

/// Both get the same texts in the same batches, and must give the same answers.
void compare(Opened& redis, Opened& folder, const std::vector<std::string>& texts, const Wanted& wanted) {
  RandomTexts random(11);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back("t" + std::to_string(i));
  std::size_t seen = 0;
  for (std::size_t first = 0; first < texts.size();) {
    const std::size_t last = std::min<std::size_t>(texts.size(), first + 1 + random.below(400));
    std::vector<Text> batch;
    std::vector<std::string_view> asked;
    for (std::size_t i = first; i < last; ++i) {
      batch.push_back({.id = ids[i], .text = texts[i], .source = i % 3 == 0 ? "s" : "", .time = i});
      asked.push_back(texts[i]);
    }
    ASSERT_EQ(told(value(redis.index.check(asked, wanted))), told(value(folder.index.check(asked, wanted))));
    const std::vector<Answer> answers = value(redis.index.check_and_add(batch, wanted));
    ASSERT_EQ(told(answers), told(value(folder.index.check_and_add(batch, wanted)))) << first;
    for (const Answer& answer : answers) seen += answer.verdict != Verdict::fresh;
    for (std::uint32_t leaving = random.below(5); leaving > 0; --leaving) {
      const std::string& id = ids[random.below(static_cast<std::uint32_t>(last))];
      ASSERT_EQ(value(redis.index.remove(id)), value(folder.index.remove(id))) << id;
    }
    first = last;
  }
  EXPECT_GT(seen, texts.size() / 10);
  std::vector<Stored> held, expected;
  const auto into = [](std::vector<Stored>& all) {
    return [&all](const Stored& stored) -> Result<void> {
      all.push_back(stored);
      return {};
    };
  };
  ASSERT_TRUE(redis.index.for_each(into(held)));
  ASSERT_TRUE(folder.index.for_each(into(expected)));
  EXPECT_EQ(held, expected);
  const auto whole = redis.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineRedisTexts, SayWhatAFolderSays) {
  Opened redis(place());
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none, .postings_in_memory = 5000});
  compare(redis, folder, mixed_texts(61, 2500), {.passages = true, .matches = 3});
  EXPECT_GT(value(redis.index.figures()).shared_shingles, 100u);  // it must have learned templates
}

TEST_F(OnlineRedisTexts, FiguresAreThoseThatTheServerCanTell) {
  Opened opened(place());
  RandomTexts random(73);
  std::vector<std::string> texts, ids;
  std::vector<Text> batch;
  for (int i = 0; i < 2000; ++i) {
    texts.push_back(random.text(300));
    ids.push_back(std::to_string(i));
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    batch.push_back({.id = ids[i], .text = texts[i], .source = "s"});
  const auto used = [&] {
    const std::string said = cli("INFO memory");
    return std::stod(said.substr(said.find("used_memory:") + 12));
  };
  const double before = used();
  value(opened.index.check_and_add(batch));
  const double taken = used() - before;
  Figures figures = value(opened.index.figures());
  EXPECT_GT(figures.postings.value(), 10 * texts.size());
  EXPECT_GT(static_cast<double>(figures.memory_bytes.value()), taken / 10);
  EXPECT_LT(static_cast<double>(figures.memory_bytes.value()), taken * 5);
  // What a server does not have is not shown as zero.
  EXPECT_FALSE(figures.segments || figures.segment_bytes || figures.store_bytes || figures.fingerprints);
  EXPECT_EQ(value(opened.index.remove_source("s")), texts.size());
  EXPECT_EQ(value(opened.index.figures()).postings, 0u);
}

TEST_F(OnlineRedisTexts, SayWhatAFolderSaysOfTheDevelopersSets) {
  const std::vector<std::string> texts = developers_texts(62, 2000);
  if (texts.empty()) GTEST_SKIP() << "the developers' sets aren't here";
  Opened redis(place());
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none});
  compare(redis, folder, texts, {});
}

TEST_F(OnlineRedisTexts, SayWhatAFolderSaysWhereKeysAreFull) {
  const std::vector<std::string> texts = RandomTexts(63).with_stock_phrases(1500);
  Opened redis(place());
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none});
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < texts.size(); i += 100) {
    std::vector<Text> batch;
    for (std::size_t j = i; j < i + 100; ++j) batch.push_back({.id = ids[j], .text = texts[j]});
    ASSERT_EQ(told(value(redis.index.check_and_add(batch))), told(value(folder.index.check_and_add(batch))));
  }
  std::vector<std::string_view> asked(texts.begin(), texts.end());
  EXPECT_EQ(told(value(redis.index.check(asked))), told(value(folder.index.check(asked))));
  EXPECT_GT(value(redis.index.figures()).full_keys, 0u);
  EXPECT_EQ(value(redis.index.figures()).full_keys, value(folder.index.figures()).full_keys);
  EXPECT_EQ(value(Opened(place()).index.figures()).full_keys, value(folder.index.figures()).full_keys);
}

// A client that adds, one that only checks, and another one that comes later, while the number of buckets
// grows.
void OnlineRedisTexts::compare_while_buckets_become_more(int first_texts, const std::string& levels) {
  make_with_levels(first_texts);
  Opened redis(place());
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none});
  Opened asking(place());
  const std::vector<std::string> texts = mixed_texts(67, 2500);
  const std::vector<std::string_view> some(texts.begin(), texts.begin() + 300);
  const std::vector<std::string_view> before = {texts[0]};
  EXPECT_EQ(asking.check(before), "new ");
  compare(redis, folder, texts, {});
  EXPECT_EQ(told(value(asking.index.check(some))), told(value(folder.index.check(some))));
  EXPECT_EQ(told(value(Opened(place()).index.check(some))), told(value(folder.index.check(some))));
  for (const char level : levels)  // the digit before a bucket
    EXPECT_NE(cli(std::string("--scan --pattern 'leitong:{i}:p:") + level + "*' | head -1"), "") << level;
  // Texts that leave remove their postings of all levels.
  std::vector<std::string> ids;
  ASSERT_TRUE(folder.index.for_each([&](const Stored& stored) -> Result<void> {
    ids.push_back(stored.id);
    return {};
  }));
  for (const std::string& id : ids) ASSERT_TRUE(value(redis.index.remove(id))) << id;
  EXPECT_EQ(value(redis.index.figures()).postings, 0u);
  EXPECT_EQ(cli("--scan --pattern 'leitong:{i}:p:*'"), "");
}

// The levels begin at 40, 160 and 640 texts.
TEST_F(OnlineRedisTexts, SayWhatAFolderSaysWhileBucketsBecomeMore) {
  compare_while_buckets_become_more(40, "0123");
}
// From 2 texts to the last level, at 2 x 4^5; a call of up to 128 texts goes to one level, and so the first
// call to the first.
TEST_F(OnlineRedisTexts, SayWhatAFolderSaysUpToTheMostBuckets) {
  compare_while_buckets_become_more(2, "0456");
}

// Four processes offer edited copies of the same works, two of them in batches of several parts, and remove
// some again. In copies in the common frame a letter or two is edited: with more edits two of them may by
// chance have no key in common, since the frame takes a part of the keys.
TEST_F(OnlineRedisTexts, OfManyProcessesExactlyOneAddsEachWork) {
  constexpr int kWorks = 600, kProcesses = 4;
  std::vector<std::string> works;
  RandomTexts random(64);
  const std::string frame = random.text(150);
  for (int i = 0; i < kWorks; ++i) works.push_back((i % 4 == 0 ? frame : "") + random.text(400));
  make_with_levels(100);
  const auto fresh_of = [&](int who) {
    RandomTexts edits(70 + static_cast<std::uint32_t>(who));
    Opened opened(place(), {}, 1);
    std::vector<std::string> ids, texts;
    for (int i = 0; i < kWorks; ++i) {
      ids.push_back(std::to_string(who) + "-" + std::to_string(i));
      texts.push_back(edits.edited(works[static_cast<std::size_t>(i)], i % 4 == 0 ? .003 : .01));
    }
    int fresh = 0;
    const std::size_t size = who % 2 == 0 ? texts.size() : 30;
    for (std::size_t first = 0; first < texts.size(); first += size) {
      std::vector<Text> batch;
      for (std::size_t i = first; i < first + size; ++i)
        batch.push_back({.id = ids[i], .text = texts[i], .source = who == 0 ? "gone" : "stays"});
      for (const Answer& answer : value(opened.index.check_and_add(batch))) {
        fresh += answer.verdict == Verdict::fresh;
        if (answer.verdict == Verdict::refused) return 10'000;
      }
    }
    return fresh;
  };
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  for (int who = 0; who < kProcesses; ++who)
    if (::fork() == 0) {
      const int fresh = fresh_of(who);
      ::_exit(::write(pipe[1], &fresh, sizeof fresh) == sizeof fresh ? 0 : 1);
    }
  int all = 0;
  for (int who = 0; who < kProcesses; ++who) {
    int fresh = 0, status = 0;
    ASSERT_EQ(::read(pipe[0], &fresh, sizeof fresh), static_cast<ssize_t>(sizeof fresh));
    all += fresh;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(all, kWorks);
  Opened opened(place());
  Figures figures = value(opened.index.figures());
  EXPECT_EQ(figures.texts, static_cast<std::uint64_t>(kWorks * kProcesses));
  EXPECT_EQ(figures.fresh, static_cast<std::uint64_t>(kWorks));
  auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
  // If representatives leave, other texts represent their families.
  EXPECT_EQ(value(opened.index.remove_source("gone")), static_cast<std::uint64_t>(kWorks));
  for (const std::string& work : works) EXPECT_NE(opened.check({work}), "new ");
  whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineRedisTexts, ABatchWhoseConnectionIsLostIsSentAgainAndAddedOnce) {
  const LosingProxy proxy(port_, 65, 150'000);
  Opened through(proxy.place(), {.remote = {.tries = 40}});
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none});
  const std::vector<std::string> texts = mixed_texts(66, 1200);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t first = 0; first < texts.size(); first += 20) {
    std::vector<Text> batch;
    for (std::size_t i = first; i < first + 20; ++i) batch.push_back({.id = ids[i], .text = texts[i]});
    ASSERT_EQ(verdicts(value(through.index.check_and_add(batch))),
              verdicts(value(folder.index.check_and_add(batch))));
  }
  EXPECT_GT(proxy.lost(), 10);
  EXPECT_EQ(value(through.index.figures()).texts, texts.size());
  const auto whole = Opened(place()).index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineRedisTexts, AServerThatIsKilledAndStartedAgainLosesNothingAndIsWaitedFor) {
  const std::string durable = "appendonly yes\nappendfsync always\n";
  server_->kill();
  server_ = started(durable);
  Opened opened(place(), {.remote = {.tries = 60}});
  Opened folder(folder_of_the_same_secret(), {.durability = Durability::none});
  const std::vector<std::string> texts = mixed_texts(67, 900);
  std::atomic<std::size_t> done = 0;
  std::string got, expected;
  std::thread adder([&] {
    for (std::size_t i = 0; i < texts.size(); ++i, ++done) {
      const std::string id = std::to_string(i);
      const std::vector<Text> one = {{.id = id, .text = texts[i]}};
      const auto answers = opened.index.check_and_add(one);
      got += answers ? verdicts(*answers) : answers.error().message;
      expected += verdicts(value(folder.index.check_and_add(one)));
    }
  });
  for (const std::size_t at : {150u, 400u, 700u}) {
    while (done < at) std::this_thread::sleep_for(milliseconds(1));
    server_->kill();
    server_ = started(durable);
  }
  adder.join();
  EXPECT_EQ(got, expected);
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// Each key that a search or a removal needs is deleted: verify must name it, where a check would give a wrong
// answer.
TEST_F(OnlineRedisTexts, EachKeyThatIsLostIsNamedByVerify) {
  std::vector<std::string> works;
  {
    Opened opened(place());
    RandomTexts random(71);
    std::vector<std::string> texts, ids;
    for (int i = 0; i < 15; ++i) {
      works.push_back(random.text(400));
      texts.insert(texts.end(), {works.back(), works.back(), random.edited(works.back(), .02)});
    }
    for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back("t" + std::to_string(i));
    for (std::size_t i = 0; i < texts.size(); ++i)
      opened.add({{.id = ids[i],
                   .text = texts[i],
                   .source = i % 2 == 0 ? "s" : "",
                   .expires = i % 3 == 0 ? std::optional<Seconds>(4'000'000'000) : std::nullopt}});
    value(opened.index.remove("t0"));  // another text represents its family
    const auto whole = opened.index.verify();
    ASSERT_TRUE(whole) << whole.error().message;
  }
  // In the form `1) "leitong:{i}:p:0\x00.."`, which redis-cli reads as well.
  std::istringstream keys(cli("--no-raw KEYS 'leitong:{i}:*'"));
  std::vector<std::string> unnamed;
  std::size_t lost = 0, postings = 0;
  const auto rename = [&](const std::string& from, const std::string& to) {
    return cli("<<'END'\nRENAME " + from + " " + to + "\nEND\n:");
  };
  for (std::string line; std::getline(keys, line);) {
    const std::string key = line.substr(line.find('"')),
                      what = key.substr(std::string("\"leitong:{i}:").size());
    // The description of the index, and the removals that followers are told.
    if (what.starts_with("meta") || what.starts_with("left") || (what.starts_with("p:") && ++postings > 30))
      continue;
    ASSERT_EQ(rename(key, "away"), "OK\n") << key;
    ++lost;
    if (Opened(place()).index.verify()) unnamed.push_back(what);
    rename("away", key);
  }
  EXPECT_GT(lost, 40u);
  EXPECT_GT(postings, 20u);
  EXPECT_TRUE(unnamed.empty()) << unnamed.size() << " of " << lost << ", such as "
                               << (unnamed.empty() ? "" : unnamed.front());
  EXPECT_TRUE(Opened(place()).index.verify());
}

// Its keys and numbers would be taken for those of the index that was opened.
TEST_F(OnlineRedisTexts, AnIndexThatWasMadeAgainIsRefusedUntilItIsOpenedAgain) {
  Opened opened(place());
  RandomTexts random(68);
  const std::string text = random.text(300);
  EXPECT_EQ(opened.add({{"a", text}}), "new ");
  EXPECT_EQ(cli("FLUSHALL"), "OK\n");
  const std::vector<Text> one = {{.id = "b", .text = text}};
  const auto refused = opened.index.check_and_add(one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_NE(refused.error().message.find("open it again"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(opened.index.check(std::vector<std::string_view>{text}));
  EXPECT_FALSE(opened.index.remove("a"));
  EXPECT_EQ(Opened(place()).add({{"b", text}}), "new ");
  EXPECT_FALSE(opened.index.check_and_add(one));
}

// Numbers are given again to other texts, so what the client knew about the old ones is invalid.
TEST_F(OnlineRedisTexts, AServerThatComesBackWithoutItsLatestWritesIsAccepted) {
  RandomTexts random(71);
  std::vector<std::string> kept, lost, later;
  for (int i = 0; i < 60; ++i) kept.push_back(random.text(400));
  for (int i = 0; i < 60; ++i) lost.push_back(random.text(400));
  for (int i = 0; i < 60; ++i) later.push_back(random.text(400));
  Opened opened(place());
  const auto add = [](Opened& to, const std::vector<std::string>& texts, const std::string& name) {
    std::string said;
    for (std::size_t i = 0; i < texts.size(); ++i) said += to.add({{name + std::to_string(i), texts[i]}});
    return said;
  };
  add(opened, kept, "kept");
  EXPECT_EQ(cli("SAVE"), "OK\n");
  add(opened, lost, "lost");
  const std::vector<std::string_view> old(lost.begin(), lost.end());
  EXPECT_EQ(opened.check(old).find("new"), std::string::npos);
  server_->kill();
  server_ = started();
  // Another client adds texts that get the numbers of the lost ones.
  Opened other(place());
  add(other, later, "later");
  std::vector<std::string> asked;
  for (const auto* const texts : {&kept, &lost, &later})
    for (const std::string& text : *texts) asked.push_back(random.edited(text, .02));
  const std::vector<std::string_view> probes(asked.begin(), asked.end());
  const std::string expected = other.check(probes);
  EXPECT_NE(expected.find("near:later0"), std::string::npos);
  EXPECT_EQ(opened.check(probes), expected);
  EXPECT_EQ(add(opened, {later[3]}, "again"), "exact:later3 ");
  EXPECT_TRUE(opened.index.verify());
}

// Its successor has a number above those that existed when it began.
TEST_F(OnlineRedisTexts, AnExportHasTheSuccessorOfATextThatLeftMeanwhile) {
  Opened opened(place()), other(place());
  RandomTexts random(73);
  const std::string text = random.text(300);
  std::vector<std::string> texts = {text}, ids;
  while (texts.size() < 600) texts.push_back(texts.size() == 500 ? text : random.text(40));
  std::vector<Text> batch;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < texts.size(); ++i) batch.push_back({ids[i], texts[i]});
  opened.add(batch);
  std::vector<std::string> exported;
  const auto take = [&](const Stored& stored) -> Result<void> {
    if (exported.empty()) EXPECT_TRUE(value(other.index.remove("0")));
    exported.push_back(stored.id);
    return {};
  };
  ASSERT_TRUE(opened.index.for_each(take));
  EXPECT_EQ(exported.size(), 600u);
  EXPECT_EQ(exported.back(), "500");
}

// What is fetched in several calls is of one moment, or fetched again.
TEST_F(OnlineRedisTexts, ChecksSeeAllOfARemovalOrNothing) {
  Opened opened(place()), other(place());
  const std::string text = RandomTexts(72).text(300);
  opened.add({{"0", text}, {"1", text}});
  std::atomic<bool> done{false};
  std::atomic<unsigned> lost = 0, asked = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r)
    readers.emplace_back([&] {
      for (; !done; ++asked) lost += opened.check({text}).find("new") != std::string::npos;
    });
  for (std::size_t i = 0; i < 200 || asked < 20; ++i) {
    EXPECT_TRUE(value(other.index.remove(std::to_string(i))));
    other.add({{std::to_string(i + 2), text}});
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(lost, 0u);
}

TEST_F(OnlineRedisTexts, AFullServerRefusesAdditionsAndContinuesToAnswer) {
  server_->kill();
  server_ = started("maxmemory 4mb\nmaxmemory-policy noeviction\n");
  Opened opened(place());
  RandomTexts random(69);
  std::string why;
  const std::string first = random.text(300);
  EXPECT_EQ(opened.add({{"first", first}}), "new ");
  for (int i = 0; i < 5000 && why.empty(); ++i) {
    const std::string id = std::to_string(i), text = random.text(300);
    const std::vector<Text> one = {{.id = id, .text = text}};
    const auto added = opened.index.check_and_add(one);
    if (!added) why = added.error().message;
  }
  EXPECT_NE(why.find("no memory left"), std::string::npos) << why;
  EXPECT_EQ(opened.check({first}), "exact:first ");
  EXPECT_TRUE(value(opened.index.remove("first")));
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineRedisTexts, AnswersThatAreDamagedOnTheWayAreRefused) {
  DamagingProxy proxy(port_, 70);
  Opened opened(proxy.place(),
                {.remote = {.answer = milliseconds(50), .tries = 2, .pause = milliseconds(0)}});
  const std::vector<std::string> texts = mixed_texts(71, 300);
  std::vector<std::string> ids;
  std::vector<Text> batch;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < texts.size(); ++i) batch.push_back({.id = ids[i], .text = texts[i]});
  value(opened.index.check_and_add(batch));
  const std::vector<std::string_view> asked(texts.begin(), texts.end());
  const std::string expected = told(value(opened.index.check(asked)));
  proxy.damage = true;
  int failed = 0;
  for (int i = 0; i < 40; ++i) {
    failed += !opened.index.check(asked);
    failed += !opened.index.get("7");
    failed += !opened.index.remove("none");
  }
  EXPECT_GT(failed, 20);
  proxy.damage = false;
  EXPECT_EQ(told(value(Opened(proxy.place()).index.check(asked))), expected);
}

TEST_F(OnlineRedisTexts, WhatThereIsNotIsSaidWithWhatToDo) {
  Opened opened(place());
  const auto says = [](const auto& result, ErrorCode code, std::string_view words) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  };
  says(opened.index.begin("s"), ErrorCode::unsupported, "need an index in a folder");
  says(opened.index.commit("s"), ErrorCode::unsupported, "need an index in a folder");
  says(opened.index.rollback("s"), ErrorCode::unsupported, "need an index in a folder");
  says(opened.index.snapshot(folder_.path() / "copy"), ErrorCode::unsupported, "exported");
  says(opened.index.compact(), ErrorCode::unsupported, "export the index");
  const Context context;
  says(rebuild(context, place()), ErrorCode::unsupported, "export its texts");
  says(Index::open(context, place("other") + "?layout=sets"), ErrorCode::invalid_argument, "simhash");
}

TEST_F(OnlineRedisTexts, PassagesAreShownByFingerprintsTooWhereTheTextsAreKept) {
  RandomTexts random(72);
  const std::string text = random.text(600), other = text + random.text(5);
  Settings settings{.scheme = "simhash", .params = {"features=chars", "distance=10"}};
  Opened opened(place(), settings);
  EXPECT_EQ(opened.add({{"a", text}}), "new ");
  const std::vector<std::string_view> asked = {other};
  const Answer answer = value(opened.index.check(asked, {.passages = true}))[0];
  ASSERT_EQ(answer.verdict, Verdict::near);
  ASSERT_EQ(answer.match->passages.size(), 1u);
  EXPECT_EQ(answer.match->passages[0].a.end, text.size());
  settings.keep_texts = false;
  for (const std::string& where : {place("bare"), (folder_.path() / "bare").string()}) {
    Opened bare(where, settings);
    const auto refused = bare.index.check(asked, {.passages = true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_NE(refused.error().message.find("keeps no texts"), std::string::npos) << refused.error().message;
  }
}

}  // namespace
}  // namespace leitong::online
