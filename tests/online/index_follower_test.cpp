// Follows an index that another process writes: nothing is missed, nothing is reported that could be revoked,
// and the writer is not affected.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
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

/// A copy that is updated by the changes that an IndexFollower reports.
struct Copy {
  explicit Copy(const std::filesystem::path& place) : told(value(IndexFollower::open(context, place))) {}

  /// Returns false while the last writes are not durable.
  bool follow(std::uint32_t limit = 100) {
    for (bool more = true; more;) {
      const auto changes = told.changes(cursor, {.limit = limit, .texts = true});
      if (!changes && changes.error().code == ErrorCode::conflict) return false;
      if (!changes) throw std::runtime_error(changes.error().message);
      for (const auto& one : changes->changes)
        if (one.removed)
          texts.erase(one.stored.id);
        else
          texts[one.stored.id] = one.stored.text;
      cursor = changes->cursor;
      more = changes->more;
    }
    return true;
  }

  Context context;
  IndexFollower told;
  std::string cursor;
  std::map<std::string, std::string> texts;
};

/// A process that adds and removes texts, and ends by itself or is killed. (RocksDB's threads stay with the
/// parent process, so it cannot compact.)
template <class WhileItWorks>
void write_elsewhere(const std::filesystem::path& place, std::uint32_t seed, const Settings& settings,
                     bool kill, WhileItWorks while_it_works) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Context context({.threads = 1});
    auto index = Index::open(context, place, settings);
    if (!index) ::_exit(1);
    RandomTexts random(seed);
    for (int batch = 0; batch < 40; ++batch) {
      std::vector<std::string> ids, texts;
      for (int i = 0; i < 8; ++i) {
        ids.push_back(std::to_string(seed) + "-" + std::to_string(batch) + "-" + std::to_string(i));
        texts.push_back(i % 4 == 1 ? random.edited(texts.back(), .02) : random.text(150));
      }
      std::vector<Text> added;
      for (std::size_t i = 0; i < ids.size(); ++i) added.push_back({ids[i], texts[i]});
      if (!index->check_and_add(added) || !index->remove(ids[random.below(8)])) ::_exit(1);
    }
    { const Index closed = std::move(*index); }
    ::_exit(0);
  }
  int status = 0, looks = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    while_it_works();
    if (kill && ++looks == 4) ::kill(child, SIGKILL);
  }
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

TEST(IndexFollower, ReceivesChangesWhileAnotherProcessWrites) {
  const TempFolder folder("followed");
  const auto place = folder.path() / "i";
  { const Opened made(place); }
  Copy copy(place);
  std::size_t seen_meanwhile = 0;
  std::uint32_t seed = 1;
  for (const Durability durability : {Durability::sync, Durability::everysec, Durability::none})
    for (const bool kill : {false, true}) {
      const Settings settings{.durability = durability, .postings_in_memory = 700};
      write_elsewhere(place, seed++, settings, kill, [&] {
        copy.follow();
        if (durability == Durability::sync) seen_meanwhile = std::max(seen_meanwhile, copy.texts.size());
      });
      // This includes what a killed writer left.
      ASSERT_TRUE(copy.follow()) << seed;
      Copy late(place);
      ASSERT_TRUE(late.follow(7)) << seed;
      Opened opened(place);
      ASSERT_EQ(copy.texts, texts_of(opened.index)) << seed;
      ASSERT_EQ(late.texts, copy.texts) << seed;
      ASSERT_EQ(value(opened.index.changes(copy.cursor)).changes.size(), 0u) << "the cursors are the same";
      if (seed % 2 == 0) {
        ASSERT_TRUE(opened.index.compact());
      }
    }
  EXPECT_GT(seen_meanwhile, 0u);
}

TEST(IndexFollower, ReportsNothingThatIsNotDurable) {
  const TempFolder folder("followed");
  const auto place = folder.path() / "i";
  RandomTexts random(2);
  const std::string a = random.text(100), b = random.text(100);
  {
    Opened opened(place, {.durability = Durability::sync});
    opened.add({{"a", a}});
  }
  Copy copy(place);
  ASSERT_TRUE(copy.follow());
  EXPECT_EQ(copy.texts.size(), 1u);
  {
    Opened opened(place, {.durability = Durability::none});
    EXPECT_TRUE(copy.follow()) << "opening changes nothing";
    opened.add({{"b", b}});
    EXPECT_FALSE(copy.follow());
    EXPECT_EQ(copy.texts.size(), 1u);
  }
  ASSERT_TRUE(copy.follow());
  EXPECT_EQ(copy.texts.size(), 2u);
}

TEST(IndexFollower, ASourceIsReportedWhenItIsCommitted) {
  const TempFolder folder("followed");
  const auto place = folder.path() / "i";
  RandomTexts random(3);
  const std::string a = random.text(100), b = random.text(100);
  Opened opened(place, {.durability = Durability::sync});
  Copy copy(place);
  value(opened.index.begin("crawl"));
  opened.add({{"a", a, "crawl"}, {"b", b}});
  ASSERT_TRUE(copy.follow());
  EXPECT_EQ(keys_of(copy.texts), (std::vector<std::string>{"b"}));
  value(opened.index.commit("crawl"));
  ASSERT_TRUE(copy.follow());
  EXPECT_EQ(copy.texts, texts_of(opened.index));
  EXPECT_EQ(value(opened.index.remove_source("crawl")), 1u);
  ASSERT_TRUE(copy.follow());
  EXPECT_EQ(keys_of(copy.texts), (std::vector<std::string>{"b"}));
}

TEST(IndexFollower, WhereThereIsNoIndexIsSaid) {
  const TempFolder folder("followed");
  const Context context;
  const auto none = IndexFollower::open(context, folder.path() / "i");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace leitong::online
