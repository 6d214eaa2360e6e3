// An index on HBase that compares texts gives the answers of an index in memory, even if other clients add to
// it, and servers, networks and other clients fail.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "developers_texts.hpp"
#include "hbase_server.hpp"
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

const std::string kMetaRow("\0\0\0\0\xff", 5);

std::string with_length(const std::string& bytes) { return static_cast<char>(bytes.size()) + bytes; }

/// A connection on which a call is in progress, in Thrift's compact protocol.
int called(const std::string& method, const std::string& index, const std::string& more) {
  const std::string call =
      std::string("\x82\x21\x00", 3) + with_length(method) + "\x18" + with_length("leitong_" + index) + more;
  const int connection = connect_to(shared_hbase().port());
  EXPECT_EQ(::write(connection, call.data(), call.size()), static_cast<ssize_t>(call.size()));
  return connection;
}

/// Gives a new index a secret. The secret chooses the keys of texts, and the answers to doubtful texts depend
/// on the keys: a test that compares two homes has the same secret in every run.
void put_secret(const std::string& index, const std::string& secret) {
  const int connection =
      called("put", index,
             "\x1c\x18" + with_length(kMetaRow) + "\x19\x1c\x18" + with_length("i") + "\x18" +
                 with_length("secret") + "\x18" + with_length(secret) + std::string("\0\0\0", 3));
  char answer[256];
  EXPECT_GT(::read(connection, answer, sizeof answer), 0);
  ::close(connection);
}

/// The secret of an index.
std::string secret_of(const std::string& index) {
  const int connection =
      called("getMultiple", index, "\x19\x1c\x18" + with_length(kMetaRow) + std::string("\0\0", 2));
  const std::string before = std::string("\x06secret\x18\x10");
  std::string answer;
  std::size_t at = std::string::npos;
  while (at == std::string::npos || answer.size() < at + before.size() + 16) {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(connection, bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("no secret");
    answer.append(bytes.data(), static_cast<std::size_t>(count));
    at = answer.find(before);
  }
  ::close(connection);
  return answer.substr(at + before.size(), 16);
}

class OnlineHBaseTexts : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string why = no_hbase();
    if (!why.empty()) GTEST_SKIP() << "NOT TESTED ON HBASE: " << why;
  }
  /// A folder for an index with the secret of that one: so the two have the same keys.
  [[nodiscard]] std::filesystem::path folder_of_the_same_secret(const std::string& index) const {
    std::string secret = secret_of(index);
    std::reverse(secret.begin(), secret.begin() + 8);
    std::reverse(secret.begin() + 8, secret.end());
    const std::filesystem::path folder = folder_.path() / index;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "secret", std::ios::binary) << secret;
    return folder;
  }
  [[nodiscard]] static std::string place(const std::string& index, int port = 0) {
    return shared_hbase().place(index, port);
  }
  /// A new index with a secret that is the same in every run.
  [[nodiscard]] static std::string place_of_known_secret(const std::string& index,
                                                         const std::string& options = {}) {
    const std::string secret = "fedcba9876543210", made = place(index) + options;
    { const Opened opened(made); }
    put_secret(index, secret);
    EXPECT_EQ(secret_of(index), secret);
    return made;
  }
  TempFolder folder_{"texts"};
};

const Settings kFolder{.durability = Durability::none};

/// Texts, and ids with the same lifetime.
struct Batch {
  explicit Batch(std::vector<std::string> all, const std::string& who = "t") : texts(std::move(all)) {
    for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(who + std::to_string(i));
  }
  [[nodiscard]] std::vector<Text> part(std::size_t first, std::size_t last) const {
    std::vector<Text> some;
    for (std::size_t i = first; i < std::min(last, texts.size()); ++i)
      some.push_back({.id = ids[i], .text = texts[i], .source = i % 3 == 0 ? "s" : "", .time = i});
    return some;
  }
  std::vector<std::string> texts, ids;
};

/// What is compared: every field of an answer, or its verdict and match.
using Tell = std::string (*)(const std::vector<Answer>&);

/// Both get the same texts in the same batches of up to `largest`, and must give the same answers.
void compare(Opened& hbase, Opened& folder, const std::vector<std::string>& texts, const Wanted& wanted,
             std::uint32_t largest, Tell tell) {
  RandomTexts random(11);
  const Batch all(texts);
  std::size_t seen = 0;
  for (std::size_t first = 0; first < texts.size();) {
    const std::size_t last = std::min<std::size_t>(texts.size(), first + 1 + random.below(largest));
    const std::vector<Text> batch = all.part(first, last);
    const std::vector<std::string_view> asked(texts.begin() + static_cast<std::ptrdiff_t>(first),
                                              texts.begin() + static_cast<std::ptrdiff_t>(last));
    ASSERT_EQ(tell(value(hbase.index.check(asked, wanted))), tell(value(folder.index.check(asked, wanted))));
    const std::vector<Answer> answers = value(hbase.index.check_and_add(batch));
    ASSERT_EQ(tell(answers), tell(value(folder.index.check_and_add(batch)))) << first;
    for (const Answer& answer : answers) seen += answer.verdict != Verdict::fresh;
    for (std::uint32_t leaving = random.below(5); leaving > 0; --leaving) {
      const std::string& id = all.ids[random.below(static_cast<std::uint32_t>(last))];
      ASSERT_EQ(value(hbase.index.remove(id)), value(folder.index.remove(id))) << id;
    }
    first = last;
  }
  EXPECT_GT(seen, texts.size() / 10);
  const auto whole = hbase.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
  const Figures here = value(hbase.index.figures()), there = value(folder.index.figures());
  EXPECT_EQ(here.texts, there.texts);
  EXPECT_EQ(here.fresh, there.fresh);
  EXPECT_EQ(here.near, there.near);
}

TEST_F(OnlineHBaseTexts, SayOfOneAfterAnotherWhatAFolderSays) {
  Opened hbase(place_of_known_secret("mixed", "?layout=wide")),
      folder(folder_of_the_same_secret("mixed"), kFolder);
  compare(hbase, folder, mixed_texts(61, 300), {.passages = true, .matches = 3}, 1, told);
  const Figures here = value(hbase.index.figures()), there = value(folder.index.figures());
  EXPECT_EQ(here.shared_shingles, there.shared_shingles);
  EXPECT_GT(here.shared_shingles, 100u);  // it must have learned templates
}

TEST_F(OnlineHBaseTexts, SayWhatAFolderSaysInTheTallLayout) {
  Opened hbase(place_of_known_secret("tall")), folder(folder_of_the_same_secret("tall"), kFolder);
  compare(hbase, folder, mixed_texts(62, 100), {}, 1, told);
}

// A text posts its keys before the templates are known that the texts of its own batch show, so other texts
// are compared.
TEST_F(OnlineHBaseTexts, GiveTheVerdictsOfAFolderInBatches) {
  Opened hbase(place_of_known_secret("batches", "?layout=wide")),
      folder(folder_of_the_same_secret("batches"), kFolder);
  compare(hbase, folder, mixed_texts(61, 700), {}, 300, verdicts);
}

TEST_F(OnlineHBaseTexts, SayWhatAFolderSaysWhereKeysAreFull) {
  const std::vector<std::string> texts = RandomTexts(63).with_stock_phrases(1500);
  Opened hbase(place_of_known_secret("full", "?layout=wide")),
      folder(folder_of_the_same_secret("full"), kFolder);
  const Batch all(texts);
  for (std::size_t i = 0; i < texts.size(); i += 500)
    ASSERT_EQ(verdicts(value(hbase.index.check_and_add(all.part(i, i + 500)))),
              verdicts(value(folder.index.check_and_add(all.part(i, i + 500)))))
        << i;
  const std::vector<std::string_view> asked(texts.begin(), texts.end());
  EXPECT_EQ(verdicts(value(hbase.index.check(asked))), verdicts(value(folder.index.check(asked))));
  EXPECT_GT(value(hbase.index.figures()).full_keys, 0u);
  const auto whole = hbase.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineHBaseTexts, AnIdBelongsToTheBytesOfOneText) {
  RandomTexts random(64);
  const std::string a = random.text(300), b = random.text(300);
  Opened opened(place("ids"));
  EXPECT_EQ(opened.add({{"a", a}, {"a", a}, {"a", "。" + a}, {"b", b}}), "new new refused new ");
  EXPECT_EQ(opened.add({{"a", a}, {"a", "。" + a}, {"a", b}}), "new refused refused ");
  EXPECT_EQ(value(opened.index.figures()).texts, 2u);
}

TEST_F(OnlineHBaseTexts, AddedUncheckedTheyAreFoundAndCopiesOfEachOther) {
  RandomTexts random(65);
  const std::string a = random.text(300), like_a = random.edited(a, .02);
  Opened opened(place("unchecked"));
  const std::vector<Text> texts = {{"a", a}, {"b", like_a}, {"c", a}};
  EXPECT_EQ(verdicts(value(opened.index.add(texts))), "new new exact:a ");
  EXPECT_EQ(opened.check({like_a, random.edited(a, .02)}), "exact:b near:a ");
  const Explanation why = value(opened.index.explain(random.edited(a, .02)));
  EXPECT_EQ(why.answer.verdict, Verdict::near);
  EXPECT_FALSE(why.keys.empty());
  ASSERT_FALSE(why.candidates.empty());
  EXPECT_EQ(why.candidates[0].fate, "accepted");
}

// Two clients, each with several threads. Their texts are near to those of the other client, in the opposite
// order, and in the frames of the same sites.
TEST_F(OnlineHBaseTexts, OfNearTextsThatTwoClientsOfferAtOnceExactlyOneIsNew) {
  constexpr std::size_t kPairs = 160;
  static std::uint32_t runs = 0;  // with --gtest_repeat each run has its own texts and index
  RandomTexts random(660 + ++runs);
  const std::string frame = random.text(80);
  std::vector<std::string> ours, theirs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::string own = random.text(400);
    ours.push_back(frame + own);
    theirs.push_back(frame + random.edited(own, .01) + random.text(3));
  }
  std::ranges::reverse(theirs);
  const Batch a(ours, "a"), b(theirs, "b");
  const std::string raced = place("raced-texts" + std::to_string(runs)) + "?layout=wide";
  Opened one(raced), other(raced);
  std::array<std::string, kPairs> verdict_of_a, verdict_of_b;
  std::atomic<std::size_t> next_a = 0, next_b = 0;
  const auto add_all = [](Index& index, const Batch& batch, std::atomic<std::size_t>& next,
                          std::array<std::string, kPairs>& verdicts_of) {
    for (std::size_t first = next.fetch_add(8); first < kPairs; first = next.fetch_add(8)) {
      const std::vector<Answer> answers = value(index.check_and_add(batch.part(first, first + 8)));
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
  auto whole = one.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
  // The texts that were first leave; the others represent their families then.
  for (std::size_t i = 0; i < kPairs; i += 8) {
    const bool first = verdict_of_a[i] == "new";
    EXPECT_TRUE(value(one.index.remove(first ? a.ids[i] : b.ids[kPairs - 1 - i])));
    EXPECT_NE(other.check({ours[i]}), "new ") << i;
  }
  whole = other.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// The templates that one client learned are known to the others.
TEST_F(OnlineHBaseTexts, WhatIsLearnedOfTemplatesAllClientsKnow) {
  RandomTexts random(67);
  const std::string frame = random.text(300);
  std::vector<std::string> pages;
  for (int i = 0; i < 24; ++i) pages.push_back(frame + random.text(60));
  const std::string index = place_of_known_secret("learned", "?layout=wide");
  Opened one(index), other(index);
  const Batch all(pages);
  std::string got;
  for (std::size_t i = 0; i < pages.size(); ++i)
    got += verdicts(value((i % 2 == 0 ? one : other).index.check_and_add(all.part(i, i + 1))));
  Opened folder(folder_of_the_same_secret("learned"), kFolder);
  std::string expected;
  for (std::size_t i = 0; i < pages.size(); ++i)
    expected += verdicts(value(folder.index.check_and_add(all.part(i, i + 1))));
  EXPECT_EQ(got, expected);
  EXPECT_TRUE(got.ends_with("new new new new ")) << got;
  EXPECT_GT(value(other.index.figures()).shared_shingles, 100u);
  EXPECT_EQ(value(Opened(index).index.figures()).shared_shingles,
            value(folder.index.figures()).shared_shingles);
}

TEST_F(OnlineHBaseTexts, ABatchWhoseConnectionIsLostIsSentAgainAndAddedOnce) {
  int lost = 0;
  for (std::uint32_t round = 0; round < 2; ++round) {
    const std::string index = "lost-texts-" + std::to_string(round);
    value(Index::open(Context(), place(index) + "?layout=wide", {}));
    const LosingProxy proxy(shared_hbase().port(), 68 + round, 100'000);
    Opened through(place(index, proxy.port()), {.remote = {.tries = 60}});
    Opened folder(folder_of_the_same_secret(index), kFolder);
    const Batch all(mixed_texts(69 + round, 200));
    for (std::size_t first = 0; first < all.texts.size(); first += 50) {
      const std::vector<Text> batch = all.part(first, first + 50);
      ASSERT_EQ(verdicts(value(through.index.check_and_add(batch))),
                verdicts(value(folder.index.check_and_add(batch))));
    }
    lost += proxy.lost();
    EXPECT_EQ(value(through.index.figures()).texts, all.texts.size());
    const auto whole = Opened(place(index)).index.verify();
    EXPECT_TRUE(whole) << whole.error().message;
  }
  EXPECT_GT(lost, 3);
}

TEST_F(OnlineHBaseTexts, AThriftServerThatIsKilledAndStartedAgainIsWaitedFor) {
  HBaseServer& server = shared_hbase();
  Opened opened(place("killed-texts") + "?layout=wide", {.remote = {.tries = 60}});
  Opened folder(folder_of_the_same_secret("killed-texts"), kFolder);
  const Batch all(mixed_texts(70, 150));
  std::atomic<std::size_t> done = 0;
  std::string expected, got;
  std::thread adder([&] {
    for (std::size_t i = 0; i < all.texts.size(); i += 3) {
      const std::vector<Text> batch = all.part(i, i + 3);
      expected += verdicts(value(folder.index.check_and_add(batch)));
      const auto answers = opened.index.check_and_add(batch);
      got += answers ? verdicts(*answers) : answers.error().message;
      done = i + 3;
    }
  });
  while (done < 60) std::this_thread::sleep_for(milliseconds(1));
  server.kill_thrift();
  server.start_thrift();
  adder.join();
  EXPECT_EQ(got, expected);
  EXPECT_EQ(value(opened.index.figures()).texts, all.texts.size());
}

// A client loses its server in the middle of a batch and gives up. Another one carries out what was
// committed.
TEST_F(OnlineHBaseTexts, CommitsOfAClientThatIsGoneAreCarriedOutByOthers) {
  constexpr std::size_t kPairs = 60;
  RandomTexts random(71);
  std::vector<std::string> ours, theirs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    ours.push_back(random.text(300));
    theirs.push_back(random.edited(ours.back(), .01) + random.text(3));
  }
  const Batch a(ours, "a"), b(theirs, "b");
  Opened other(place("gone-texts") + "?layout=wide");
  int failed = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const LosingProxy proxy(shared_hbase().port(), seed, 900);
    const Context context;
    auto opened = Index::open(context, place("gone-texts", proxy.port()), {.remote = {.tries = 1}});
    if (opened) failed += !opened->check_and_add(a.part(seed * 3, seed * 3 + 3));
  }
  EXPECT_GT(failed, 3);
  const std::string near = verdicts(value(other.index.check_and_add(b.part(0, kPairs))));
  const std::string again = verdicts(value(other.index.check_and_add(a.part(0, kPairs))));
  // One text of each pair is new.
  std::size_t fresh = 0;
  for (const std::string& all : {near, again})
    for (std::size_t at = all.find("new "); at != std::string::npos; at = all.find("new ", at + 1)) ++fresh;
  EXPECT_EQ(fresh, kPairs) << near << "\n" << again;
  const auto whole = other.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineHBaseTexts, AnswersThatAreDamagedOnTheWayAreRefused) {
  DamagingProxy proxy(shared_hbase().port(), 72);
  value(Index::open(Context(), place("damaged-texts") + "?layout=wide", {}));
  const Batch all(mixed_texts(73, 60));
  Opened opened(place("damaged-texts", proxy.port()),
                {.remote = {.answer = milliseconds(2000), .tries = 2, .pause = milliseconds(0)}});
  value(opened.index.check_and_add(all.part(0, 60)));
  const std::vector<std::string_view> asked(all.texts.begin(), all.texts.end());
  const std::string expected = told(value(opened.index.check(asked)));
  Opened hasty(place("damaged-texts", proxy.port()),
               {.remote = {.answer = milliseconds(100), .tries = 2, .pause = milliseconds(0)}});
  proxy.damage = true;
  int failed = 0;
  for (int i = 0; i < 12; ++i) {
    failed += !hasty.index.check(asked);
    failed += !hasty.index.explain(all.texts[0]);
  }
  EXPECT_GT(failed, 6);
  proxy.damage = false;
  EXPECT_EQ(told(value(opened.index.check(asked))), expected);
}

TEST_F(OnlineHBaseTexts, WhatThereIsNotIsSaidWithWhatToDo) {
  const Context context;
  const auto opened = Index::open(context, place("no-blocks") + "?blocks=2", {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(opened.error().message.find("\"blocks\" is of indexes of fingerprints"), std::string::npos)
      << opened.error().message;
}

}  // namespace
}  // namespace leitong::online
