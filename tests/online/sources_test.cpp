// Texts of sources: set aside, shown together, removed together; texts that expire; copies of an index.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/records.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> ids_of(const Index& index, std::optional<std::string_view> source = {}) {
  std::vector<std::string> ids;
  const auto note = [&](const Stored& stored) -> Result<void> {
    ids.push_back(stored.id);
    return {};
  };
  const auto read = source ? index.for_each_of(*source, note) : index.for_each(note);
  EXPECT_TRUE(read) << read.error().message;
  return ids;
}

using Ids = std::vector<std::string>;

TEST(Sources, ATextIsStoredWithItsSourceDateAndExpiry) {
  const TempFolder folder("details");
  RandomTexts random(1);
  const std::string a = random.text(200), b = random.edited(a, .02);
  for (int times = 0; times < 2; ++times) {
    Opened opened(folder.path() / "i");
    const std::vector<Text> texts = {{"a", a, "crawl", -5, 1'800'000'000}, {"b", b, {}, 7, {}}};
    EXPECT_EQ(opened.add(texts), "new near:a ");  // the second time they are known
    const Stored first = *value(opened.index.get("a")), second = *value(opened.index.get("b"));
    EXPECT_EQ(first.source, "crawl");
    EXPECT_EQ(first.time, -5);
    EXPECT_EQ(first.expires, 1'800'000'000);
    EXPECT_EQ(second.source, "");
    EXPECT_EQ(second.time, 7);
    EXPECT_EQ(second.expires, std::nullopt);
    EXPECT_EQ(second.family, "a");
    EXPECT_EQ(value(opened.index.check(std::vector<std::string_view>{a}))[0].match->source, "crawl");
  }
}

TEST(Sources, WhatIsSetAsideIsSeenByItsSourceAloneUntilItIsCommitted) {
  const TempFolder folder("aside");
  RandomTexts random(2);
  const std::string a = random.text(300), b = random.text(300), like_a = random.edited(a, .02),
                    like_b = random.edited(b, .02);
  for (const fs::path& place : {fs::path(), folder.path() / "i"}) {
    Opened opened(place);
    EXPECT_EQ(opened.add({{"a", a}}), "new ");
    EXPECT_TRUE(value(opened.index.begin("crawl")));
    EXPECT_FALSE(value(opened.index.begin("crawl"))) << "it is open already";
    EXPECT_EQ(opened.index.open_sources(), Ids{"crawl"});
    // Answered by the index and by the earlier texts of this source; answers about other sources do not
    // change.
    EXPECT_EQ(
        opened.add({{"1", b, "crawl"}, {"2", like_b, "crawl"}, {"3", like_a, "crawl"}, {"4", b, "other"}}),
        "new near:1 near:a new ");
    EXPECT_EQ(opened.add({{"1", b, "crawl"}}), "exact:4 ") << "the index comes first";
    EXPECT_EQ(opened.check({like_b}), "near:4 ");
    EXPECT_EQ(value(opened.index.get("1")), std::nullopt);
    EXPECT_EQ(ids_of(opened.index), (Ids{"a", "4"}));
    EXPECT_EQ(value(opened.index.figures()).texts, 2u);

    const Committed done = value(opened.index.commit("crawl"));
    EXPECT_EQ(done.texts, 3u);
    EXPECT_EQ(done.exact, 1u) << "4 came first";
    EXPECT_EQ(done.near, 2u);
    EXPECT_EQ(ids_of(opened.index), (Ids{"a", "4", "1", "2", "3"}));
    EXPECT_EQ(ids_of(opened.index, "crawl"), (Ids{"1", "2", "3"}));
    EXPECT_EQ(value(opened.index.get("2"))->family, "4");
    EXPECT_EQ(value(opened.index.get("3"))->family, "a");
    EXPECT_TRUE(opened.index.open_sources().empty());
    EXPECT_EQ(opened.index.commit("crawl").error().code, ErrorCode::not_found);
    EXPECT_TRUE(opened.index.verify());
  }
}

TEST(Sources, ACommitIsWhatAddingItsTextsWouldBe) {
  const TempFolder folder("commit");
  const Arrivals arrivals(3, 900);
  const auto place = [&](const char* name) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path);
    std::ofstream(path / "secret", std::ios::binary) << "0123456789abcdef";
    return path;
  };
  const Settings settings{.durability = Durability::none, .postings_in_memory = 900};
  Opened plain(place("plain"), settings), aside(place("aside"), settings);
  // 400 texts were there before, and 200 come from others while 300 are set aside.
  std::vector<Text> set_aside = arrivals.between(400, 700);
  for (Text& text : set_aside) text.source = "s";
  for (Opened* opened : {&plain, &aside}) opened->add(arrivals.between(0, 400));
  EXPECT_TRUE(value(aside.index.begin("s")));
  aside.add(set_aside);
  for (Opened* opened : {&plain, &aside}) opened->add(arrivals.between(700, 900));
  plain.add(set_aside);
  EXPECT_EQ(value(aside.index.commit("s")).texts, 300u);
  EXPECT_EQ(ids_of(aside.index), ids_of(plain.index));
  for (const std::string& id : arrivals.ids)
    EXPECT_EQ(value(aside.index.get(id)), value(plain.index.get(id)));
  std::vector<std::string_view> all(arrivals.texts.begin(), arrivals.texts.end());
  EXPECT_EQ(aside.check(all), plain.check(all));
  EXPECT_TRUE(aside.index.verify());
}

// A commit that could not be completed is completed by the next change, or when the index is opened.
TEST(Sources, ACommitThatFailedIsEndedLater) {
  const TempFolder folder("unfinished");
  const Arrivals arrivals(13, 100);
  std::vector<Text> texts = arrivals.between(0, 100);
  for (Text& text : texts) text.source = "s";
  {
    Opened opened(folder.path() / "i");
    EXPECT_TRUE(value(opened.index.begin("s")));
    opened.add(texts);
    opened.context.request_stop();
    EXPECT_EQ(opened.index.commit("s").error().code, ErrorCode::cancelled);
    EXPECT_EQ(opened.index.rollback("s").error().code, ErrorCode::not_found) << "it is decided";
    EXPECT_EQ(opened.index.get("t0").value(), std::nullopt);
  }
  Opened opened(folder.path() / "i");
  EXPECT_EQ(ids_of(opened.index).size(), 100u);
  EXPECT_TRUE(opened.index.open_sources().empty());
  EXPECT_TRUE(opened.index.verify());
  EXPECT_TRUE(value(opened.index.begin("s"))) << "the name is free again";
}

TEST(Sources, RollbackForgets) {
  const TempFolder folder("rollback");
  RandomTexts random(4);
  const std::string a = random.text(300);
  {
    Opened opened(folder.path() / "i");
    EXPECT_TRUE(value(opened.index.begin("s")));
    EXPECT_EQ(opened.add({{"a", a, "s"}}), "new ");
    EXPECT_TRUE(opened.index.rollback("s"));
    EXPECT_FALSE(opened.index.rollback("s"));
    EXPECT_EQ(opened.check({a}), "new ");
    // From then on the source is like any other one.
    EXPECT_EQ(opened.add({{"a", a, "s"}}), "new ");
    EXPECT_EQ(opened.check({a}), "exact:a ");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path() / "i"))
    EXPECT_FALSE(entry.path().filename().string().starts_with("aside-")) << entry.path();
}

TEST(Sources, WhatIsSetAsideSurvivesAReopening) {
  const TempFolder folder("aside-reopen");
  RandomTexts random(5);
  const std::string a = random.text(300), b = random.text(300);
  {
    Opened opened(folder.path() / "i");
    EXPECT_TRUE(value(opened.index.begin("s")));
    EXPECT_TRUE(value(opened.index.begin("t")));
    EXPECT_EQ(opened.add({{"a", a, "s"}, {"b", b, "t"}}), "new new ");
  }
  Opened opened(folder.path() / "i");
  EXPECT_EQ(opened.index.open_sources(), (Ids{"s", "t"}));
  EXPECT_EQ(opened.check({a, b}), "new new ");
  EXPECT_EQ(value(opened.index.commit("s")).fresh, 1u);
  EXPECT_EQ(opened.check({a, b}), "exact:a new ");
}

TEST(Sources, NamesThatCannotBeKeptAreRefused) {
  Opened opened;
  EXPECT_EQ(opened.index.begin("").error().code, ErrorCode::invalid_argument);
  const std::string huge(kMostIdBytes + 1, 's');
  EXPECT_EQ(opened.index.begin(huge).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(opened.add({{"a", "text", huge}}), "refused ");
}

// Checks during a commit see all of it or nothing.
TEST(Sources, ACommitIsSeenAtOneMoment) {
  const TempFolder folder("moment");
  RandomTexts random(6);
  std::vector<std::string> ids, texts;
  for (int i = 0; i < 3000; ++i) {
    ids.push_back(std::to_string(i));
    texts.push_back(random.text(60));
  }
  Opened opened(folder.path() / "i", {.durability = Durability::none, .postings_in_memory = 5000});
  EXPECT_TRUE(value(opened.index.begin("s")));
  std::vector<Text> batch;
  for (int i = 0; i < 3000; ++i) batch.push_back({ids[i], texts[i], "s"});
  opened.add(batch);
  std::atomic<bool> done{false};
  std::thread reader([&] {
    const std::vector<std::string_view> ends = {texts.front(), texts[1500], texts.back()};
    while (!done) {
      const std::string seen = opened.check(ends);
      ASSERT_TRUE(seen == "new new new " || seen == "exact:0 exact:1500 exact:2999 ") << seen;
    }
  });
  EXPECT_EQ(value(opened.index.commit("s")).fresh, 3000u);
  done = true;
  reader.join();
}

TEST(Sources, ASourceIsRemovedAndNothingElseIsLost) {
  const TempFolder folder("remove-source");
  const Arrivals arrivals(7, 900);
  const Settings settings{.durability = Durability::none, .postings_in_memory = 700};
  std::optional<Opened> opened(std::in_place, folder.path() / "i", settings);
  std::vector<Text> texts = arrivals.between(0, 900);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].source = i % 3 == 0 ? "fizz" : "fizzbuzz";
  opened->add(texts);
  EXPECT_EQ(value(opened->index.remove_source("fiz")), 0u);
  EXPECT_EQ(value(opened->index.remove_source("fizz")), 300u);
  EXPECT_EQ(value(opened->index.remove_source("fizz")), 0u);
  opened.reset();
  opened.emplace(folder.path() / "i", settings);
  EXPECT_EQ(value(opened->index.figures()).texts, 600u);
  EXPECT_EQ(ids_of(opened->index, "fizz"), Ids{});
  EXPECT_EQ(ids_of(opened->index, "fizzbuzz").size(), 600u);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto stored = value(opened->index.get(arrivals.ids[i]));
    ASSERT_EQ(stored.has_value(), i % 3 != 0);
    if (!stored) continue;
    EXPECT_EQ(stored->text, arrivals.texts[i]);
    EXPECT_EQ(value(opened->index.check(std::vector<std::string_view>{arrivals.texts[i]}))[0].verdict,
              Verdict::exact);
  }
  const auto whole = opened->index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST(Expiry, TakesOutWhatExpiredBeforeAMoment) {
  const TempFolder folder("expiry");
  RandomTexts random(8);
  const std::string a = random.text(300), b = random.edited(a, .02), c = random.text(300);
  std::optional<Opened> opened(std::in_place, folder.path() / "i");
  EXPECT_EQ(opened->add({{"a", a, {}, {}, 100}, {"b", b, {}, {}, 200}, {"c", c}, {"a2", a, {}, {}, -50}}),
            "new near:a new exact:a ");
  EXPECT_EQ(value(opened->index.expire(-50)), 0u);
  EXPECT_EQ(value(opened->index.expire(100)), 1u) << "a2; a expires at 100, not before";
  EXPECT_EQ(value(opened->index.get("a2")), std::nullopt);
  EXPECT_EQ(value(opened->index.expire(101)), 1u);
  opened.reset();
  opened.emplace(folder.path() / "i");
  // b represents the family now, under another number, and expires nevertheless.
  EXPECT_EQ(opened->check({a, b, c}), "near:b exact:b exact:c ");
  EXPECT_EQ(value(opened->index.expire(INT64_MAX)), 1u);
  EXPECT_EQ(opened->check({a, b, c}), "new new exact:c ");
  EXPECT_TRUE(opened->index.verify());
}

// The successor of a text that expires gets another number while the other texts are being processed.
TEST(Expiry, AFamilyOfManyLeavesWhole) {
  RandomTexts random(9);
  const std::string a = random.text(120);
  Opened opened;
  std::vector<std::string> ids, texts;
  for (int i = 0; i < 1200; ++i) {
    ids.push_back(std::to_string(i));
    texts.push_back(random.edited(a, .01));
  }
  std::vector<Text> batch;
  for (int i = 0; i < 1200; ++i) batch.push_back({ids[i], texts[i], {}, {}, 1000 - i / 2});
  opened.add(batch);
  EXPECT_EQ(value(opened.index.expire(1001)), 1200u);
  EXPECT_EQ(value(opened.index.figures()).texts, 0u);
  EXPECT_EQ(opened.check({a}), "new ");
}

TEST(Compact, PostingsOfRemovedTextsGoAndFullKeysTakeTextsAgain) {
  const TempFolder folder("compact");
  const Arrivals arrivals(10, 600);
  RandomTexts random(11);
  const std::vector<std::string> texts = random.with_stock_phrases(1000);
  for (const fs::path& place : {fs::path(), folder.path() / "i"}) {
    const Settings settings{.durability = Durability::none, .postings_in_memory = 1500};
    std::optional<Opened> opened(std::in_place, place, settings);
    opened->add(arrivals.between(0, 600));
    std::vector<std::string> ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(std::string("page").append(std::to_string(i)));
    std::vector<Text> pages;
    for (int i = 0; i < 1000; ++i) pages.push_back({ids[i], texts[i], "pages"});
    opened->add(pages);
    const Figures before = value(opened->index.figures());
    EXPECT_GT(before.full_keys, 0u);
    EXPECT_EQ(value(opened->index.remove_source("pages")), 1000u);
    std::vector<std::string_view> all(arrivals.texts.begin(), arrivals.texts.end());
    const std::string expected = opened->check(all);
    ASSERT_TRUE(opened->index.compact());
    if (!place.empty()) {
      opened.reset();
      opened.emplace(place, settings);
    }
    const Figures after = value(opened->index.figures());
    EXPECT_EQ(after.full_keys, 0u);
    EXPECT_LT(after.postings.value(), before.postings.value() / 2);
    EXPECT_LE(after.segments, 1u);
    EXPECT_EQ(opened->check(all), expected);
    const auto whole = opened->index.verify();
    EXPECT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(opened->add({{"again", texts[0]}}), "new ");
  }
}

TEST(Snapshot, IsTheIndexAsItWas) {
  const TempFolder folder("snapshot");
  const Arrivals arrivals(12, 500);
  const Settings settings{.durability = Durability::none, .postings_in_memory = 800};
  Opened opened(folder.path() / "i", settings);
  opened.add(arrivals.between(0, 300));
  EXPECT_TRUE(value(opened.index.begin("s")));
  EXPECT_EQ(opened.add({{"aside", "set aside", "s"}}), "new ");
  std::vector<std::string_view> all(arrivals.texts.begin(), arrivals.texts.end());
  const std::string expected = opened.check(all);
  const fs::path copy = folder.path() / "copy";
  const auto made = opened.index.snapshot(copy);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(opened.index.snapshot(copy).error().code, ErrorCode::invalid_argument);
  opened.add(arrivals.between(300, 500));
  {
    Opened copied(copy, settings);
    EXPECT_EQ(copied.check(all), expected);
    EXPECT_TRUE(copied.index.open_sources().empty());
    EXPECT_TRUE(copied.index.verify());
    copied.add(arrivals.between(300, 400));
  }
  EXPECT_EQ(fs::status(copy / "secret").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(opened.index.verify());
  EXPECT_EQ(value(opened.index.figures()).texts, 500u);
  Opened in_memory;
  EXPECT_EQ(in_memory.index.snapshot(folder.path() / "m").error().code, ErrorCode::invalid_argument);
}

TEST(ParseTime, ReadsDatesAndSeconds) {
  EXPECT_EQ(parse_time("1970-01-01"), 0);
  EXPECT_EQ(parse_time("2026-11-22"), 1'795'305'600);
  EXPECT_EQ(parse_time("2026-11-22T08:30:15Z"), 1'795'336'215);
  EXPECT_EQ(parse_time("2026-11-22 08:30:15.999"), 1'795'336'215);
  EXPECT_EQ(parse_time("2026-11-22T16:30:15+08:00"), 1'795'336'215);
  EXPECT_EQ(parse_time("2026-11-22T16:30+0800"), 1'795'336'200);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(parse_time("1795336215"), 1'795'336'215);
  EXPECT_EQ(parse_time("1795336215.75"), 1'795'336'215);
  EXPECT_EQ(parse_time("-1.5"), -2);
  EXPECT_EQ(parse_time("1e3"), 1000);
  EXPECT_EQ(parse_time("20269922"), 20'269'922);
  EXPECT_EQ(parse_time("99999999999"), kMostSeconds);
  for (const char* bad : {"", "yesterday", "2026-13-01", "2026-02-30", "2026-11-22T", "2026-11-22T25:00",
                          "2026-11-22T08:30:15+", "2026-11-22T08:30Zx", "1e300", "nan", "2026-11-22x",
                          "20261122", "19991231.5", "100000000000", "1764000000000"})
    EXPECT_EQ(parse_time(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace leitong::online
