// A copy of an index that takes over its changes, whatever fails.
#include "leitong/replicate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

struct Held {
  std::string id, text, source;
  bool operator==(const Held&) const = default;
};

/// The texts of an index, in their order.
std::vector<Held> held(Index& index) {
  std::vector<Held> all;
  EXPECT_TRUE(index.for_each([&](const Stored& stored) -> Result<void> {
    all.push_back({stored.id, stored.text, stored.source});
    return {};
  }));
  return all;
}

ChangesFn changes_of(Index& index) { return replica_calls(index).changes; }

/// Takes over everything that is there.
void catch_up(Index& index, Index& copy, const std::filesystem::path& cursor) {
  Replication replication =
      value(Replication::open(changes_of(index), replica_calls(copy), cursor, "a\nb\n"));
  while (value(replication.step()).more) continue;
}

TEST(Replication, EndsEqualThoughEveryCallMayFailBeforeOrAfterItsWork) {
  const TempFolder folder("replicate");
  RandomTexts texts(5);
  std::mt19937_64 random(5);
  Opened index, copy;
  const auto fails = [&] { return random() % 5 == 0; };
  const auto failure = [] { return fail(ErrorCode::io, "the network is down"); };
  const ReplicaCalls calls = replica_calls(copy.index);
  const ReplicaCalls unreliable{.changes = calls.changes,
                                .add = [&](std::span<const Text> some) -> Result<std::vector<std::string>> {
                                  if (fails()) return failure();
                                  auto reasons = calls.add(some);
                                  return fails() ? Result<std::vector<std::string>>(failure())
                                                 : std::move(reasons);
                                },
                                .remove = [&](std::string_view id) -> Result<void> {
                                  if (fails()) return failure();
                                  const auto removed = calls.remove(id);
                                  return fails() ? Result<void>(failure()) : removed;
                                }};
  for (int round = 0; round < 40; ++round) {
    for (int change = 0; change < 5; ++change) {
      // Few ids, so that one soon stands for another text.
      const std::string id = "t" + std::to_string(random() % 30);
      if (random() % 3 == 0)
        EXPECT_TRUE(index.index.remove(id));
      else
        index.add({{id, texts.text(60)}});
    }
    // As after a kill: opened again each time, and not always to the end.
    auto replication = Replication::open(changes_of(index.index), unreliable, folder.path() / "cursor", "");
    ASSERT_TRUE(replication) << replication.error().message;
    for (int step = 0; step < 3; ++step)
      if (const auto done = replication->step(); done && !done->more) break;
  }
  auto last = Replication::open(changes_of(index.index), calls, folder.path() / "cursor", "");
  ASSERT_TRUE(last);
  while (value(last->step()).more) continue;
  EXPECT_GT(held(index.index).size(), 5U);
  EXPECT_EQ(held(copy.index), held(index.index));
}

TEST(Replication, WithoutItsFileRemovesWhatOnlyTheCopyHas) {
  const TempFolder folder("replicate");
  RandomTexts texts(6);
  Opened index, copy;
  index.add({{"a", texts.text(60), "crawl"}, {"b", texts.text(60)}});
  copy.add({{"a", texts.text(60)}, {"stray", texts.text(60)}});
  catch_up(index.index, copy.index, folder.path() / "cursor");
  const auto by_id = [](std::vector<Held> all) {
    std::ranges::sort(all, {}, &Held::id);
    return all;
  };
  EXPECT_EQ(by_id(held(copy.index)), by_id(held(index.index)));
}

TEST(Replication, RefusesAFileOfOtherNamesAndTheCursorOfAnotherIndex) {
  const TempFolder folder("replicate");
  Opened index, other, copy;
  index.add({{"a", "渡船清晨六点开第一班，雾大的日子改到七点"}});
  const auto cursor = folder.path() / "cursor";
  catch_up(index.index, copy.index, cursor);
  const auto named = Replication::open(changes_of(index.index), replica_calls(copy.index), cursor, "c\nd\n");
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, ErrorCode::invalid_argument);
  auto moved = Replication::open(changes_of(other.index), replica_calls(copy.index), cursor, "a\nb\n");
  ASSERT_TRUE(moved);
  const auto done = moved->step();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::not_found);
  EXPECT_NE(done.error().message.find("without the file"), std::string::npos);
}

TEST(Replication, RefusesAnIndexWithoutTexts) {
  const TempFolder folder("replicate");
  Opened index({}, {.scheme = "simhash", .keep_texts = false}), copy;
  index.add({{"a", "渡船清晨六点开第一班，雾大的日子改到七点"}});
  auto replication =
      Replication::open(changes_of(index.index), replica_calls(copy.index), folder.path() / "cursor", "");
  ASSERT_TRUE(replication);
  const auto done = replication->step();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace leitong::online
