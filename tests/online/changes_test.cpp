// What a follower of an index is told, and writers that expect a version.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "follower.hpp"
#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

// Segments are made and merged meanwhile.
const Settings kQuick{.durability = Durability::none, .postings_in_memory = 2000};

/// "+a -b": the texts that came and left.
std::string said(const Changes& changes) {
  std::string text;
  for (const auto& one : changes.changes) text += (one.removed ? "-" : "+") + one.stored.id + " ";
  return text;
}

TEST(Changes, ComeInTheirOrderAndGoOnAtTheCursor) {
  const TempFolder folder("changes");
  RandomTexts random(1);
  const std::string a = random.text(200), b = random.text(200), c = random.text(200);
  std::string cursor;
  {
    Opened opened(folder.path() / "i");
    EXPECT_EQ(said(value(opened.index.changes())), "");
    opened.add({{"a", a, "crawl", 7}, {"b", b}});
    const Changes first = value(opened.index.changes({}, {.texts = true}));
    EXPECT_EQ(said(first), "+a +b ");
    EXPECT_EQ(first.changes[0].stored, *value(opened.index.get("a")));
    EXPECT_FALSE(first.more);
    cursor = first.cursor;
    EXPECT_EQ(said(value(opened.index.changes(cursor))), "");
    EXPECT_TRUE(value(opened.index.remove("a")));
    opened.add({{"c", c}, {"a", a}});
  }
  Opened again(folder.path() / "i");
  const Changes next = value(again.index.changes(cursor));
  EXPECT_EQ(said(next), "-a +c +a ");
  EXPECT_EQ(next.changes[1].stored.text, "") << "texts come on request";
  EXPECT_EQ(said(value(again.index.changes(next.cursor))), "");
  EXPECT_EQ(said(value(again.index.changes())), "+b +c +a ") << "who begins is told of what is there";
}

TEST(Changes, AreCutIntoPagesThatLoseNothing) {
  RandomTexts random(2);
  Opened opened;
  std::vector<std::string> ids;
  for (int i = 0; i < 300; ++i) ids.push_back(std::to_string(i));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string text = random.text(30);
    opened.add({{ids[i], text}});
    if (i % 3 == 2) value(opened.index.remove(ids[i - random.below(3)]));
  }
  for (const std::uint32_t limit : {1u, 2u, 7u, 100u, kMostChanges}) {
    Follower follower;
    follower.follow(opened.index, {.limit = limit});
    EXPECT_EQ(follower.ids(), ids_of(opened.index)) << limit;
  }
  for (const std::uint32_t limit : {0u, kMostChanges + 1})
    EXPECT_EQ(opened.index.changes({}, {.limit = limit}).error().code, ErrorCode::invalid_argument);
}

TEST(Changes, AFollowerHasWhatTheIndexHasWheneverItAsks) {
  const TempFolder folder("follower");
  RandomTexts random(3);
  const Arrivals arrivals(3, 1500);
  auto opened = std::make_unique<Opened>(folder.path() / "i", kQuick);
  Follower quick, slow;
  for (std::size_t first = 0; first < arrivals.ids.size(); first += 50) {
    value(opened->index.check_and_add(arrivals.between(first, first + 50)));
    // This includes representatives, whose successors come again.
    for (int i = 0; i < 12; ++i)
      value(opened->index.remove(arrivals.ids[random.below(static_cast<std::uint32_t>(first + 50))]));
    quick.follow(opened->index, {.limit = 1 + random.below(40), .texts = true});
    ASSERT_EQ(quick.texts, texts_of(opened->index)) << first;
    if (first % 300 == 0) {
      ASSERT_TRUE(opened->index.compact());
    }
    if (first % 450 != 0) continue;
    opened.reset();
    if (first % 900 == 0) {
      ASSERT_TRUE(rebuild(Context(), folder.path() / "i"));
    }
    opened = std::make_unique<Opened>(folder.path() / "i", kQuick);
    slow.follow(opened->index, {.texts = true});
    ASSERT_EQ(slow.texts, texts_of(opened->index)) << first;
  }
}

TEST(Changes, ARepairGivesNoNumberTwice) {
  const TempFolder folder("repaired");
  RandomTexts random(4);
  const std::string a = random.text(100), b = random.text(100);
  Follower follower;
  {
    Opened opened(folder.path() / "i");
    opened.add({{"a", a}, {"b", b}});
    follower.follow(opened.index);
    EXPECT_TRUE(value(opened.index.remove("b")));
    EXPECT_TRUE(value(opened.index.remove("a")));
  }
  ASSERT_TRUE(rebuild(Context(), folder.path() / "i"));
  Opened opened(folder.path() / "i");
  opened.add({{"c", a}});
  follower.follow(opened.index);
  EXPECT_EQ(follower.ids(), (std::vector<std::string>{"c"}));
}

TEST(Changes, ASourceIsReportedWhenItIsCommitted) {
  RandomTexts random(5);
  const std::string a = random.text(100), b = random.text(100), c = random.text(100);
  Opened opened;
  opened.add({{"a", a}});
  value(opened.index.begin("crawl"));
  opened.add({{"b", b, "crawl"}});
  opened.add({{"c", c}});
  Changes told = value(opened.index.changes());
  EXPECT_EQ(said(told), "+a +c ");
  value(opened.index.commit("crawl"));
  told = value(opened.index.changes(told.cursor));
  EXPECT_EQ(said(told), "+b ");
  EXPECT_EQ(value(opened.index.remove_source("crawl")), 1u);
  EXPECT_EQ(said(value(opened.index.changes(told.cursor))), "-b ");
  const std::string now = value(opened.index.changes(kFromNow)).cursor;
  opened.add({{"d", b}});
  EXPECT_EQ(said(value(opened.index.changes(now))), "+d ");
}

TEST(Changes, ACursorThatCannotGoOnIsRefused) {
  const TempFolder folder("cursors");
  RandomTexts random(6);
  const std::string a = random.text(100);
  Opened opened(folder.path() / "i", {.durability = Durability::none, .removals_kept = 1000}), other;
  opened.add({{"a", a}});
  other.add({{"a", a}});
  const auto refused = [&](const Index& index, std::string_view since) {
    const auto changes = index.changes(since);
    return changes ? std::optional<ErrorCode>() : changes.error().code;
  };
  const std::string cursor = value(opened.index.changes()).cursor;
  EXPECT_EQ(refused(opened.index, cursor), std::nullopt);
  EXPECT_EQ(refused(other.index, cursor), ErrorCode::not_found);
  for (const std::string_view bad :
       {"x", "..", "1.2", "1.2.3.4", "1.2.-3", "1.99999999999999999999.0", "1.2.3 "})
    EXPECT_EQ(refused(opened.index, bad), ErrorCode::invalid_argument) << bad;
  // An index that was restored may have missed what the cursor has seen.
  ASSERT_TRUE(opened.index.snapshot(folder.path() / "copy"));
  {
    Opened copy(folder.path() / "copy");
    EXPECT_EQ(refused(copy.index, cursor), ErrorCode::not_found);
    EXPECT_EQ(said(value(copy.index.changes())), "+a ");
  }
  // Removals above the limit are forgotten some thousands at a time.
  for (int i = 0; i < 6000; ++i) {
    const std::string id = std::to_string(i);
    const std::vector<Text> one = {{id, id}};
    value(opened.index.add(one));
    ASSERT_TRUE(value(opened.index.remove(id)));
  }
  EXPECT_EQ(refused(opened.index, cursor), ErrorCode::not_found);
  EXPECT_EQ(said(value(opened.index.changes())), "+a ");
  const std::string now = value(opened.index.changes(kFromNow)).cursor;
  EXPECT_EQ(refused(opened.index, now), std::nullopt);
}

TEST(Changes, AreReportedWhileOthersWrite) {
  const Arrivals arrivals(7, 1200);
  Opened opened;
  std::atomic<bool> over = false;
  std::thread writer([&] {
    RandomTexts random(8);
    for (std::size_t first = 0; first < arrivals.ids.size(); first += 20) {
      value(opened.index.check_and_add(arrivals.between(first, first + 20)));
      for (int i = 0; i < 5; ++i)
        value(opened.index.remove(arrivals.ids[random.below(static_cast<std::uint32_t>(first + 20))]));
    }
    over = true;
  });
  Follower follower;
  while (!over) follower.follow(opened.index, {.limit = 33});
  writer.join();
  follower.follow(opened.index);
  EXPECT_EQ(follower.ids(), ids_of(opened.index));
}

TEST(ExpectedVersion, OfWritersWithTheSameVersionOneIsFirst) {
  RandomTexts random(9);
  const std::string a = random.text(100), b = random.text(100), c = random.text(100);
  Opened opened;
  const std::vector<std::string_view> asked = {a};
  const std::vector<Text> first = {{"a", a}}, second = {{"b", b}}, third = {{"c", c}};
  const auto seen = value(opened.index.check(asked))[0].version;
  EXPECT_EQ(seen, 0u);
  EXPECT_EQ(value(opened.index.check_and_add(first, {}, seen))[0].version, 1u);
  const auto late = opened.index.check_and_add(second, {}, seen);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_FALSE(value(opened.index.get("b"))) << "nothing of it was done";
  EXPECT_EQ(value(opened.index.add(second, 1))[0].version, 2u);
  EXPECT_TRUE(value(opened.index.check_and_add(first, {}, seen))[0].known)
      << "sent again, it changes nothing";
  EXPECT_EQ(opened.index.remove("a", 1).error().code, ErrorCode::conflict);
  EXPECT_TRUE(value(opened.index.remove("a", 2)));
  EXPECT_FALSE(value(opened.index.remove("a", 2)));
  EXPECT_EQ(value(opened.index.figures()).version, 3u);
  value(opened.index.begin("crawl"));
  const std::vector<Text> aside = {{"c", c, "crawl"}};
  EXPECT_EQ(opened.index.add(aside, 3).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(value(opened.index.add(aside))[0].version, 3u);
  value(opened.index.commit("crawl"));
  EXPECT_EQ(value(opened.index.figures()).version, 4u);
}

TEST(ExpectedVersion, OutlivesTheProcess) {
  const TempFolder folder("version");
  RandomTexts random(10);
  const std::string a = random.text(100), b = random.edited(a, .02);
  std::optional<std::uint64_t> version;
  {
    Opened opened(folder.path() / "i");
    EXPECT_EQ(opened.add({{"a", a}, {"b", b}}), "new near:a ");
    value(opened.index.remove("a"));  // b represents itself from now on
    version = value(opened.index.figures()).version;
    EXPECT_EQ(version, 4u);
  }
  EXPECT_EQ(value(Opened(folder.path() / "i").index.figures()).version, version);
}

TEST(ExpectedVersion, ThreadsThatRaceCountWithoutALoss) {
  constexpr int kThreads = 4, kEach = 40;
  Opened opened;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      RandomTexts random(static_cast<std::uint32_t>(20 + t));
      for (int done = 0; done < kEach;) {
        const std::string id = std::to_string(t) + "-" + std::to_string(done), text = random.text(40);
        const std::vector<Text> one = {{id, text}};
        const auto answers = opened.index.check_and_add(one, {}, value(opened.index.figures()).version);
        done += answers.has_value();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value(opened.index.figures()).version, std::uint64_t{kThreads * kEach});
}

}  // namespace
}  // namespace leitong::online
