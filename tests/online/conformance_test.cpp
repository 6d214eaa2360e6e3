// What an index promises, for every home and every scheme of comparison.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "fingerprint_model.hpp"
#include "follower.hpp"
#include "hbase_server.hpp"
#include "leitong/dedup.hpp"
#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "redis_servers.hpp"
#include "temp_folder.hpp"
#include "test_places.hpp"
#include "text_model.hpp"

namespace leitong::online {
namespace {

struct Case {
  std::string name;     // of the test
  std::string home;     // "memory", "folder", "redis", "cluster", "hbase"
  std::string options;  // of the place
  std::string scheme;   // "default", "simhash"
  unsigned bits = 64, distance = 10;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class OnlineHome : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    prefix_ = std::to_string(++tests_) + "-";
    if (GetParam().home == "hbase") {
      static const std::string why = no_hbase();
      if (!why.empty()) GTEST_SKIP() << "NOT TESTED ON HBASE: " << why;
      return;
    }
    if (!is_remote()) return;
    if (const std::string why = no_redis(); !why.empty()) GTEST_SKIP() << "NOT TESTED ON REDIS: " << why;
    std::unique_ptr<RedisServers>& servers = servers_[GetParam().home];
    if (servers == nullptr) servers = std::make_unique<RedisServers>(GetParam().home == "cluster" ? 3 : 1);
  }
  static void TearDownTestSuite() { servers_.clear(); }

  [[nodiscard]] bool is_remote() const { return GetParam().home != "memory" && GetParam().home != "folder"; }
  /// An HBase of one process does few operations in a second.
  [[nodiscard]] int part_of(int texts) const { return GetParam().home == "hbase" ? texts / 4 : texts; }
  [[nodiscard]] bool by_fingerprints() const { return GetParam().scheme != "default"; }

  [[nodiscard]] std::filesystem::path place(const std::string& name) const {
    if (GetParam().home == "memory") return {};
    if (GetParam().home == "folder") return folder_.path() / name;
    if (GetParam().home == "hbase") return shared_hbase().place(prefix_ + name) + GetParam().options;
    return "redis://" + servers_[GetParam().home]->addresses() + "/" + prefix_ + name + GetParam().options;
  }
  [[nodiscard]] Settings settings() const {
    Settings settings{
        .durability = Durability::none, .postings_in_memory = 2000, .scheme = GetParam().scheme};
    if (by_fingerprints())
      settings.params = {"features=chars", "top=0", "bits=" + std::to_string(GetParam().bits),
                         "distance=" + std::to_string(GetParam().distance)};
    return settings;
  }
  [[nodiscard]] std::unique_ptr<Opened> open(const std::string& name = "i") const {
    return std::make_unique<Opened>(place(name), settings());
  }
  /// One letter of a long text is another one.
  static std::string like(const std::string& text, std::size_t letter) {
    std::string other = text;
    other[letter * 3 + 2] = static_cast<char>(other[letter * 3 + 2] ^ 1);
    return other;
  }

 private:
  TempFolder folder_{"home"};
  std::string prefix_;  // for names of indexes: each test has its own
  // All tests of a home share its servers.
  static inline std::map<std::string, std::unique_ptr<RedisServers>> servers_;
  static inline int tests_ = 0;
};

/// Homes that outlive a process. An index in memory belongs to its process, and ends with it.
class OnlineHomeThatStays : public OnlineHome {};

TEST_P(OnlineHome, KnowsNewExactAndNearTextsAndJoinsABatchWithItself) {
  RandomTexts random(1);
  const std::string a = random.text(600), b = random.text(600), c = random.text(600);
  const auto opened = open();
  EXPECT_EQ(opened->check({a}), "new ");
  EXPECT_EQ(opened->add({{"a", a}, {"a2", like(a, 7)}, {"a3", a}, {"b", b}}), "new near:a exact:a new ");
  EXPECT_EQ(opened->check({like(a, 300), a, like(b, 1), "。" + b, c}), "near:a exact:a near:b near:b new ");
  EXPECT_EQ(opened->check({like(a, 7)}), "exact:a2 ");
  const std::vector<std::string_view> query = {like(b, 1)};
  const std::string near_b = like(b, 1);
  const std::vector<std::string_view> asked = {near_b};
  const Answer answer = value(opened->index.check(asked))[0];
  EXPECT_EQ(answer.match->measure, by_fingerprints() ? "hamming" : "jaccard");
  EXPECT_EQ(answer.match->distance.has_value(), by_fingerprints());
  EXPECT_GT(answer.match->score, .8);
}

TEST_P(OnlineHome, AnswersInOrderAndAsOneByOne) {
  RandomTexts random(2);
  std::vector<std::string> ids, texts;
  const auto count = static_cast<std::size_t>(part_of(700)),
             batch_size = static_cast<std::size_t>(part_of(250));
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back("文" + std::to_string(i));
    const auto kind = i == 0 ? 0 : random.below(4);
    const std::string& earlier = i == 0 ? std::string() : texts[random.below(static_cast<std::uint32_t>(i))];
    texts.push_back(kind == 1 ? earlier : kind == 2 ? like(earlier, random.below(400)) : random.text(400));
  }
  std::string one_by_one, in_batches;
  const auto one = open("one"), batches = open("batches");
  for (std::size_t i = 0; i < texts.size(); ++i) one_by_one += one->add({{ids[i], texts[i]}});
  for (std::size_t i = 0; i < texts.size(); i += batch_size) {
    std::vector<Text> batch;
    for (std::size_t j = i; j < std::min(texts.size(), i + batch_size); ++j)
      batch.push_back({ids[j], texts[j]});
    in_batches += batches->add(batch);
  }
  EXPECT_EQ(in_batches, one_by_one);
  EXPECT_GT(std::ranges::count(one_by_one, ':'), part_of(250));
  std::vector<std::string> held;
  ASSERT_TRUE(batches->index.for_each([&](const Stored& stored) -> Result<void> {
    held.push_back(stored.id);
    return {};
  }));
  EXPECT_EQ(held, ids);
  const auto whole = batches->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_P(OnlineHome, OfSixtyFourThreadsOneBringsTheNewText) {
  RandomTexts random(3);
  const auto opened = open();
  for (const bool alike : {false, true}) {
    // Any text may be the first, and all others must be near to it: one letter of so many changes few bits.
    const std::string text = random.text(6000);
    std::atomic<int> fresh = 0, seen = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 64; ++i)
      threads.emplace_back([&, i] {
        const std::string id = (alike ? "alike" : "same") + std::to_string(i),
                          mine = alike ? like(text, 5 * i) : text;
        const std::vector<Text> one = {{id, mine}};
        const Answer answer = value(opened->index.check_and_add(one))[0];
        ++(answer.verdict == Verdict::fresh                             ? fresh
           : answer.verdict == (alike ? Verdict::near : Verdict::exact) ? seen
                                                                        : fresh);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(fresh, 1);
    EXPECT_EQ(seen, 63);
  }
  EXPECT_EQ(value(opened->index.figures()).texts, 128u);
}

TEST_P(OnlineHomeThatStays, OfTwoProcessesOneBringsEachNewText) {
  if (!is_remote()) {
    const auto opened = open();
    const auto second = Index::open(opened->context, place("i"), settings());
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("open elsewhere"), std::string::npos) << second.error().message;
    return;
  }
  RandomTexts random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) texts.push_back(random.text(400));
  open().reset();
  const auto fresh_of = [&](const std::string& who) {
    const auto opened = std::make_unique<Opened>(place("i"), settings(), 1);
    int fresh = 0;
    for (std::size_t i = 0; i < texts.size(); ++i)
      fresh += opened->add({{who + std::to_string(i), like(texts[i], who == "a" ? 1 : 2)}}) == "new ";
    return fresh;
  };
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int fresh = fresh_of("a");
    ::_exit(::write(pipe[1], &fresh, sizeof fresh) == sizeof fresh ? 0 : 1);
  }
  const int mine = fresh_of("b");
  int others = 0;
  ASSERT_EQ(::read(pipe[0], &others, sizeof others), static_cast<ssize_t>(sizeof others));
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(mine + others, 150) << mine << " and " << others;
}

TEST_P(OnlineHome, TakesAnyIdOfUpToAThousandBytes) {
  RandomTexts random(5);
  const std::string text = random.text(300), odd("a\tb\r\n{}"), longest(kMostIdBytes, 'x'),
                    huge(1 << 20, 'x');
  const auto opened = open();
  EXPECT_EQ(opened->add(
                {{"雷同 ☃ \xf0\x9f\x98\x80", text}, {odd, text}, {longest, text}, {huge, text}, {"", text}}),
            "new exact:雷同 ☃ \xf0\x9f\x98\x80 exact:雷同 ☃ \xf0\x9f\x98\x80 refused refused ");
  EXPECT_EQ(value(opened->index.get(odd))->text, text);
  EXPECT_EQ(value(opened->index.get(longest))->family, "雷同 ☃ \xf0\x9f\x98\x80");
  EXPECT_EQ(value(opened->index.get("y")), std::nullopt);
  EXPECT_EQ(opened->add({{odd, text}}), "exact:雷同 ☃ \xf0\x9f\x98\x80 ");
  EXPECT_EQ(opened->add({{odd, random.text(300)}}), "refused ");
  EXPECT_EQ(opened->add({{std::string("a\0b", 3), random.text(300)}}), "refused ");
  EXPECT_EQ(opened->add({{"bytes", "\xff\xfe"}}), "refused ");
}

TEST_P(OnlineHome, EmptyAndTinyTextsAreSeenIfTheyAreEqual) {
  const auto opened = open();
  EXPECT_EQ(
      opened->add({{"1", ""}, {"2", "?"}, {"3", "!"}, {"4", "?"}, {"5", "好"}, {"6", "好。"}, {"7", ""}}),
      "new new new exact:2 new near:5 exact:1 ");
  EXPECT_EQ(opened->check({"", "!", " 好", "，好", "."}), "exact:1 exact:3 exact:5 near:5 new ");
}

TEST_P(OnlineHome, ATextThatDiffersOnlyInSignsIsNearAndNeverExact) {
  const auto opened = open();
  const std::string a = "if the level x < y holds, the pump of the harbour stays off until the morning";
  const std::string quoted =
      "“If the level x < y holds, the pump of the harbour stays off until the morning”";
  std::string other = a;
  other.replace(other.find('<'), 1, ">");
  EXPECT_EQ(opened->add({{"a", a}}), "new ");
  EXPECT_EQ(opened->check({"IF the level x<y holds, the pump of the harbour stays off until the morning"}),
            "exact:a ");
  EXPECT_EQ(opened->check({quoted, other}), "near:a near:a ");
  const std::vector<std::string_view> texts{quoted, other};
  for (const Answer& answer : value(opened->index.check(texts))) {
    EXPECT_EQ(answer.match->score, 1);
    EXPECT_EQ(answer.match->measure, by_fingerprints() ? "hamming" : "copy");
  }
}

TEST_P(OnlineHomeThatStays, HoldsWhatItHeldWhenItIsOpenedAgain) {
  RandomTexts random(6);
  const std::string a = random.text(600), b = random.text(600);
  { EXPECT_EQ(open()->add({{"a", a, "s", 17, 99}, {"a2", like(a, 9)}}), "new near:a "); }
  const auto opened = std::make_unique<Opened>(place("i"));  // of whatever scheme it is
  EXPECT_EQ(opened->check({a, like(a, 80), b}), "exact:a near:a new ");
  const Stored stored = value(opened->index.get("a")).value();
  EXPECT_EQ(stored.text, a);
  EXPECT_EQ(stored.source, "s");
  EXPECT_EQ(stored.time, 17);
  EXPECT_EQ(stored.expires, 99);
  EXPECT_EQ(stored.fingerprint.has_value(), by_fingerprints());
  EXPECT_EQ(value(opened->index.figures()).near, 1u);
}

TEST_P(OnlineHomeThatStays, AnotherSchemeIsRefused) {
  open().reset();
  const Context context;
  Settings other{.scheme = by_fingerprints() ? "default" : "simhash"};
  const auto opened = Index::open(context, place("i"), other);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument) << opened.error().message;
  const auto missing = Index::open(context, place("missing"), {.create = false});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found) << missing.error().message;
}

// By file names if no others are given, and by content in any case.
TEST_P(OnlineHomeThatStays, KeepsToTheDictionariesThatItWasMadeWith) {
  const TempFolder folder("words");
  const std::filesystem::path words = folder.path() / "words.txt", moved = folder.path() / "moved.txt";
  const auto write = [](const std::filesystem::path& path, std::string_view lines) {
    std::ofstream(path) << lines;
  };
  write(words, "图书 900 n\n");
  const Context context({.threads = 1, .data_folder = LEITONG_SOURCE_DIR "/tests/golden"});
  Settings settings{.scheme = GetParam().scheme, .dictionaries = {.user = {words}}};
  if (by_fingerprints()) settings.params = {"distance=3"};
  const auto open_with = [&](const Settings& with) -> std::string {
    const auto opened = Index::open(context, place("words"), with);
    return opened ? value(opened->figures()).scheme : opened.error().message;
  };
  const std::string made = open_with(settings);
  if (!by_fingerprints()) {
    EXPECT_NE(made.find("doesn't look at words"), std::string::npos) << made;
    return;
  }
  EXPECT_NE(made.find("@model="), std::string::npos) << made;
  EXPECT_EQ(open_with({.create = false}), made);
  std::filesystem::rename(words, moved);
  EXPECT_NE(open_with({.create = false}).find("words.txt, which isn't there"), std::string::npos);
  EXPECT_EQ(open_with({.create = false, .dictionaries = {.user = {moved}}}), made);
  write(words, "下午的 900 n\n");
  EXPECT_NE(open_with({.create = false}).find("have other content"), std::string::npos);
}

TEST_P(OnlineHome, AnotherOneTakesThePlaceOfATextThatLeaves) {
  RandomTexts random(7);
  const std::string a = random.text(600);
  const auto opened = open();
  EXPECT_EQ(opened->add({{"a", a}, {"b", like(a, 3)}, {"c", a}, {"d", like(a, 3)}}),
            "new near:a exact:a exact:b ");
  EXPECT_TRUE(value(opened->index.remove("a")));
  EXPECT_FALSE(value(opened->index.remove("a")));
  EXPECT_EQ(opened->check({a, like(a, 200), like(a, 3)}), "exact:c near:c exact:b ");
  EXPECT_EQ(value(opened->index.get("b"))->family, "c");
  EXPECT_TRUE(value(opened->index.remove("c")));
  EXPECT_EQ(opened->check({a, like(a, 3)}), "near:b exact:b ");
  EXPECT_TRUE(value(opened->index.remove("b")));
  EXPECT_EQ(opened->check({a, like(a, 3)}), "near:d exact:d ");
  const auto whole = opened->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(value(opened->index.remove("d")));
  EXPECT_EQ(opened->check({a, like(a, 3)}), "new new ");
  EXPECT_EQ(value(opened->index.figures()).texts, 0u);
}

// The figures are those of the text, not those of a match that has left.
TEST_P(OnlineHome, ATextThatIsSentAgainHasTheFiguresOfItsRepresentative) {
  RandomTexts random(12);
  const std::string a = random.text(600), b = like(a, 3), c = like(b, 300);
  const auto opened = open();
  const auto figures_of_c = [&] {
    const std::vector<Text> again = {{"c", c}};
    const Answer answer = value(opened->index.check_and_add(again))[0];
    const Match& match = answer.match.value();
    return std::tuple(match.id, match.measure, match.score, match.jaccard, match.containment, match.distance);
  };
  EXPECT_EQ(opened->add({{"a", a}, {"b", b}}), "new near:a ");
  const auto of_a = figures_of_c();
  EXPECT_EQ(figures_of_c(), of_a);
  EXPECT_TRUE(value(opened->index.remove("a")));
  const auto of_b = figures_of_c();
  EXPECT_EQ(std::get<0>(of_b), "b");
  EXPECT_TRUE(value(opened->index.remove("c")));
  EXPECT_EQ(figures_of_c(), of_b);
}

TEST_P(OnlineHome, SourcesAndExpiredTextsLeaveTogether) {
  RandomTexts random(8);
  std::vector<std::string> ids, texts;
  const int count = part_of(600);
  for (int i = 0; i < count; ++i) {
    ids.push_back(std::to_string(i));
    texts.push_back(i % 3 == 2 ? like(texts.back(), 30) : random.text(200));
  }
  const auto opened = open();
  std::vector<Text> batch;
  for (std::size_t i = 0; i < ids.size(); ++i)
    batch.push_back({.id = ids[i],
                     .text = texts[i],
                     .source = i % 2 == 0 ? "even" : "odd",
                     .expires = i % 5 == 0 ? std::optional<Seconds>(static_cast<Seconds>(i)) : std::nullopt});
  value(opened->index.check_and_add(batch));
  const auto odd = static_cast<std::uint64_t>(count / 2), expired = odd / 10;
  EXPECT_EQ(value(opened->index.remove_source("even")), odd);
  EXPECT_EQ(value(opened->index.remove_source("even")), 0u);
  EXPECT_EQ(value(opened->index.expire(count / 2)), expired);
  std::vector<std::string> held;
  ASSERT_TRUE(opened->index.for_each_of("odd", [&](const Stored& stored) -> Result<void> {
    held.push_back(stored.id);
    return {};
  }));
  EXPECT_EQ(held.size(), odd - expired);
  EXPECT_EQ(value(opened->index.figures()).texts, odd - expired);
  const auto whole = opened->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

// An index on a server shows texts as they come, and refuses to set them aside.
TEST_P(OnlineHome, SetsTheTextsOfASourceAsideOrSaysWhatDoes) {
  RandomTexts random(13);
  const std::string a = random.text(400), b = random.text(400), c = random.text(400);
  const auto opened = open();
  Index& index = opened->index;
  if (is_remote()) {
    const auto is_refused = [](const auto& result) {
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().code, ErrorCode::unsupported) << result.error().message;
      EXPECT_NE(result.error().message.find(
                    "shows texts as they come; sources that are shown at once need an index in a folder"),
                std::string::npos)
          << result.error().message;
    };
    is_refused(index.begin("crawl"));
    is_refused(index.commit("crawl"));
    is_refused(index.rollback("crawl"));
    EXPECT_TRUE(index.open_sources().empty());
    EXPECT_EQ(opened->add({{"a", a, "crawl"}}), "new ");
    EXPECT_EQ(opened->check({a}), "exact:a ");
    return;
  }
  EXPECT_TRUE(value(index.begin("crawl")));
  EXPECT_FALSE(value(index.begin("crawl")));
  EXPECT_EQ(index.open_sources(), std::vector<std::string>{"crawl"});
  EXPECT_EQ(opened->add({{"a", a, "crawl"}, {"a2", like(a, 9), "crawl"}}), "new near:a ");
  EXPECT_EQ(opened->add({{"b", b, "other"}}), "new ");
  EXPECT_EQ(opened->check({a, b}), "new exact:b ");
  EXPECT_EQ(value(index.commit("crawl")).texts, 2u);
  EXPECT_EQ(opened->check({a, like(a, 9)}), "exact:a exact:a2 ");
  EXPECT_TRUE(value(index.begin("crawl")));
  EXPECT_EQ(opened->add({{"c", c, "crawl"}}), "new ");
  EXPECT_TRUE(index.rollback("crawl"));
  EXPECT_EQ(opened->check({c}), "new ");
  const auto nothing_open = index.commit("crawl");
  ASSERT_FALSE(nothing_open);
  EXPECT_EQ(nothing_open.error().code, ErrorCode::not_found) << nothing_open.error().message;
  const auto forgotten = index.rollback("crawl");
  ASSERT_FALSE(forgotten);
  EXPECT_EQ(forgotten.error().code, ErrorCode::not_found) << forgotten.error().message;
}

TEST_P(OnlineHome, IsCopiedWhereItLiesInAFolderOrSaysWhatDoes) {
  RandomTexts random(14);
  const std::string a = random.text(400);
  const TempFolder folder("copy");
  const std::filesystem::path copy = folder.path() / "copy";
  const auto opened = open();
  EXPECT_EQ(opened->add({{"a", a}, {"a2", like(a, 9)}}), "new near:a ");
  const auto copied = opened->index.snapshot(copy);
  if (GetParam().home == "folder") {
    ASSERT_TRUE(copied) << copied.error().message;
    Opened of_copy(copy);
    EXPECT_EQ(of_copy.check({a, like(a, 9), like(a, 200)}), "exact:a exact:a2 near:a ");
    EXPECT_FALSE(opened->index.snapshot(copy));
    return;
  }
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, is_remote() ? ErrorCode::unsupported : ErrorCode::invalid_argument);
  EXPECT_NE(
      copied.error().message.find(is_remote() ? "are the server's affair" : "in memory has no files to copy"),
      std::string::npos)
      << copied.error().message;
  EXPECT_FALSE(std::filesystem::exists(copy));
  EXPECT_EQ(opened->check({a}), "exact:a ");
}

TEST_P(OnlineHome, ReportsToAFollowerWhichTextsCameAndLeft) {
  RandomTexts random(11);
  const std::string a = random.text(600), b = random.text(600), c = random.text(600);
  const auto opened = open();
  const auto told = [&](const std::string& since, std::string& cursor, const ChangesWanted& wanted = {}) {
    const Changes changes = value(opened->index.changes(since, wanted));
    std::string text;
    for (const auto& one : changes.changes) text += (one.removed ? "-" : "+") + one.stored.id + " ";
    cursor = changes.cursor;
    return text + (changes.more ? "..." : "");
  };
  std::string begin, cursor;
  EXPECT_EQ(told("", begin), "");
  opened->add({{"a", a, "crawl", 7}, {"a2", like(a, 3)}, {"b", b}});
  EXPECT_EQ(told(begin, cursor), "+a +a2 +b ");
  const Changes first = value(opened->index.changes({}, {.limit = 2, .texts = true}));
  ASSERT_EQ(first.changes.size(), 2u);
  EXPECT_TRUE(first.more);
  EXPECT_EQ(first.changes[0].stored, value(opened->index.get("a")));
  EXPECT_EQ(first.changes[1].stored.family, "a");
  EXPECT_EQ(value(opened->index.changes(begin)).changes[0].stored.text, "") << "texts come on request";
  EXPECT_TRUE(value(opened->index.remove("b")));
  opened->add({{"c", c}, {"b", b}});
  EXPECT_TRUE(value(opened->index.remove("a")));  // a2 replaces it
  EXPECT_EQ(told(cursor, cursor), "-b +c +b -a +a2 ");
  EXPECT_EQ(told(cursor, cursor), "");
  EXPECT_EQ(told(begin, begin, {.limit = 1}), "-b ...") << "it may be of one who never came";
  EXPECT_EQ(told("", begin), "+c +b +a2 ");
  EXPECT_EQ(told("now", cursor), "");
  EXPECT_TRUE(value(opened->index.remove("c")));
  EXPECT_EQ(told(cursor, cursor), "-c ");
  for (const std::string_view bad : {"x", "1.2.3.4"})
    EXPECT_EQ(opened->index.changes(bad).error().code, ErrorCode::invalid_argument) << bad;
  std::string of_another_history = cursor;
  of_another_history[0] = cursor[0] == '1' ? '2' : '1';
  EXPECT_EQ(opened->index.changes(of_another_history).error().code, ErrorCode::not_found);
  const auto other = open("other");
  EXPECT_EQ(other->index.changes(cursor).error().code, ErrorCode::not_found);
  EXPECT_EQ(opened->index.changes({}, {.limit = 0}).error().code, ErrorCode::invalid_argument);
}

TEST_P(OnlineHome, AFollowerMissesNothingOfSeveralWriters) {
  constexpr int kWriters = 4, kBatch = 12;
  const int rounds = part_of(12);
  const auto opened = open();
  std::atomic<int> busy = kWriters;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w)
    writers.emplace_back([&, w] {
      RandomTexts random(static_cast<std::uint32_t>(30 + w));
      const auto own = is_remote() ? open() : nullptr;
      Index& index = is_remote() ? own->index : opened->index;
      std::vector<std::string> ids, texts;
      for (int round = 0; round < rounds; ++round) {
        std::vector<Text> batch;
        ids.reserve(ids.size() + kBatch);
        texts.reserve(texts.size() + kBatch);
        ids.clear();
        texts.clear();
        for (int i = 0; i < kBatch; ++i) {
          ids.push_back("w" + std::to_string(w) + "-" + std::to_string(round) + "-" + std::to_string(i));
          texts.push_back(i % 3 == 1 ? like(texts.back(), random.below(200)) : random.text(200));
          batch.push_back({ids.back(), texts.back()});
        }
        value(index.check_and_add(batch));
        for (const int i : {0, 3, 5}) value(index.remove(ids[static_cast<std::size_t>(i)]));
        if (round % 4 == 0) value(index.check_and_add(std::span(batch).first(1)));  // it comes again
      }
      --busy;
    });
  Follower follower, begins_late;
  while (busy > 0) follower.follow(opened->index, {.limit = 17, .texts = true});
  for (std::thread& writer : writers) writer.join();
  follower.follow(opened->index, {.texts = true});
  EXPECT_EQ(follower.texts, texts_of(opened->index));
  begins_late.follow(opened->index, {.limit = 5, .texts = true});
  EXPECT_EQ(begins_late.texts, follower.texts);
  EXPECT_EQ(follower.texts.size(),
            static_cast<std::size_t>(kWriters * (rounds * (kBatch - 3) + (rounds + 3) / 4)));
}

class OnlineHomeOfFingerprints : public OnlineHome {};

TEST_P(OnlineHomeOfFingerprints, IsAsComparingEverythingSays) {
  const Case& c = GetParam();
  const auto all = planted(c.bits, c.distance, 1200, 9);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back("f" + std::to_string(i));
  const auto opened = open();
  FingerprintModel model(c.distance);
  std::mt19937 random(10);
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t last = std::min(all.size(), first + 1 + random() % 150);
    std::vector<Text> batch;
    std::string expected;
    for (std::size_t i = first; i < last; ++i) {
      batch.push_back({.id = ids[i], .text = {}, .fingerprint = all[i]});
      expected += model.add(ids[i], all[i]);
    }
    ASSERT_EQ(said(value(opened->index.check_and_add(batch))), expected) << first;
    for (int i = 0; i < 4; ++i) {
      const std::string& leaving = ids[random() % last];
      if (value(opened->index.remove(leaving))) model.remove(leaving);
    }
    first = last;
  }
  std::string expected;
  for (const auto& fingerprint : all) expected += model.check(fingerprint);
  EXPECT_EQ(said(value(opened->index.check(all))), expected);
  const auto whole = opened->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

class OnlineHomeOfTexts : public OnlineHome {};

// Every answer is compared in its verdict, match, deciding measure, and both figures of the pair.
TEST_P(OnlineHomeOfTexts, IsAsComparingEverythingSays) {
  const auto count = static_cast<std::size_t>(part_of(400));
  const std::vector<std::string> texts = works_and_copies(15, count + count / 4);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back("t" + std::to_string(i));
  const auto opened = open();
  TextModel model;
  std::mt19937 random(16);
  std::string all;
  for (std::size_t first = 0; first < count;) {
    const std::size_t last = std::min(count, first + 1 + random() % 60);
    std::vector<Text> batch;
    std::string expected;
    for (std::size_t i = first; i < last; ++i) {
      batch.push_back({ids[i], texts[i]});
      expected += model.add(ids[i], texts[i]);
    }
    ASSERT_EQ(told_by_measures(value(opened->index.check_and_add(batch))), expected) << first;
    all += expected;
    first = last;
  }
  std::string expected;
  std::vector<std::string_view> asked;
  for (std::size_t i = count; i < texts.size(); ++i) {
    asked.emplace_back(texts[i]);
    expected += model.check(texts[i]);
  }
  EXPECT_EQ(told_by_measures(value(opened->index.check(asked))), expected);
  for (const char* const part : {"new ", "exact:", "near:", "/jaccard/", "/containment/"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

// The batch command keeps the first text and decides whether the second one may leave for it.
TEST_P(OnlineHomeOfTexts, CoversATextWhereTheBatchCommandRemovesIt) {
  RandomTexts random(17);
  const std::string work = random.text(500);
  const auto opened = open();
  EXPECT_EQ(opened->add({{"work", work}}), "new ");
  const auto lines = [&](double rate) { return random.edited(work, rate); };
  const std::vector<std::string> texts = {"。" + work + "!",   work + " x < 12",       lines(.01), lines(.03),
                                          work.substr(0, 900), work + random.text(60), lines(.08), work};
  const std::vector<std::string_view> asked(texts.begin(), texts.end());
  const std::vector<Answer> answers = value(opened->index.check(asked));
  std::string covered;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_TRUE(answers[i].match) << i;
    const std::vector<std::string_view> pair = {work, asked[i]};
    const Decisions decisions =
        value(deduplicate(Context({.threads = 1}), pair, {.keep = KeepPolicy{Keep::first}}));
    EXPECT_EQ(answers[i].match->covered, decisions.kept()[1] == 0) << i;
    covered += answers[i].match->covered ? '1' : '0';
  }
  EXPECT_THAT(covered, testing::AllOf(testing::HasSubstr("0"), testing::HasSubstr("1")));
  EXPECT_EQ(answers[0].match->loss, 0.0);
  EXPECT_NEAR(answers[5].match->loss.value_or(0), 60. / 560, .005) << "what was added is lost";
}

const auto kName = [](const auto& param) { return param.param.name; };

const auto kInMemory = testing::Values(Case{"memory_default", "memory", "", "default"},
                                       Case{"memory_simhash", "memory", "", "simhash"});
const auto kThatStay = testing::Values(
    Case{"folder_default", "folder", "", "default"}, Case{"folder_simhash", "folder", "", "simhash"},
    Case{"redis_default", "redis", "", "default"}, Case{"redis_simhash", "redis", "", "simhash"},
    Case{"redis_sets_simhash", "redis", "?layout=sets", "simhash"},
    Case{"cluster_default", "cluster", "", "default"}, Case{"cluster_simhash", "cluster", "", "simhash"});
// Of fewer tables: each is a scan, and an HBase of one process does one in a millisecond.
const auto kOnHBase = testing::Values(Case{"hbase_default", "hbase", "", "default"},
                                      Case{"hbase_simhash", "hbase", "", "simhash", 64, 6});
const auto kThatStayOnHBase = testing::Values(Case{"hbase_default", "hbase", "", "default"},
                                              Case{"hbase_wide_default", "hbase", "?layout=wide", "default"},
                                              Case{"hbase_simhash", "hbase", "", "simhash"},
                                              Case{"hbase_wide_simhash", "hbase", "?layout=wide", "simhash"});

INSTANTIATE_TEST_SUITE_P(InMemory, OnlineHome, kInMemory, kName);
INSTANTIATE_TEST_SUITE_P(Homes, OnlineHome, kThatStay, kName);
INSTANTIATE_TEST_SUITE_P(Homes, OnlineHomeThatStays, kThatStay, kName);
INSTANTIATE_TEST_SUITE_P(OnHBase, OnlineHome, kOnHBase, kName);
INSTANTIATE_TEST_SUITE_P(OnHBase, OnlineHomeThatStays, kThatStayOnHBase, kName);

INSTANTIATE_TEST_SUITE_P(Homes, OnlineHomeOfTexts,
                         testing::Values(Case{"memory", "memory", "", "default"},
                                         Case{"folder", "folder", "", "default"},
                                         Case{"redis", "redis", "", "default"},
                                         Case{"cluster", "cluster", "", "default"},
                                         Case{"hbase", "hbase", "", "default"},
                                         Case{"hbase_wide", "hbase", "?layout=wide", "default"}),
                         kName);

INSTANTIATE_TEST_SUITE_P(
    Homes, OnlineHomeOfFingerprints,
    testing::Values(Case{"memory_3", "memory", "", "simhash", 64, 3},
                    Case{"folder_3", "folder", "", "simhash", 64, 3},
                    Case{"folder_128", "folder", "", "simhash", 128, 10},
                    Case{"redis_3_of_4_tables", "redis", "", "simhash", 64, 3},
                    Case{"redis_3_of_10_tables", "redis", "?blocks=2", "simhash", 64, 3},
                    Case{"redis_sets_3_of_4_tables", "redis", "?layout=sets", "simhash", 64, 3},
                    Case{"redis_sets_3_of_10_tables", "redis", "?layout=sets&blocks=2", "simhash", 64, 3},
                    Case{"redis_0", "redis", "", "simhash", 64, 0},
                    Case{"redis_128", "redis", "?blocks=2", "simhash", 128, 10},
                    Case{"cluster_3", "cluster", "", "simhash", 64, 3},
                    Case{"hbase_3_of_4_tables", "hbase", "", "simhash", 64, 3},
                    Case{"hbase_wide_3_of_10_tables", "hbase", "?layout=wide&blocks=2", "simhash", 64, 3},
                    Case{"hbase_wide_128", "hbase", "?layout=wide", "simhash", 128, 3}),
    kName);

}  // namespace
}  // namespace leitong::online
