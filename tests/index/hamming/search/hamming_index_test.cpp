#include "index/hamming/search/hamming_index.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "index/hamming/index_helpers.hpp"
#include "temp_path.hpp"

namespace leitong::hamming {
namespace {

template <Fingerprint F>
std::unique_ptr<HammingIndex<F>> open(IndexOptions options) {
  auto index = HammingIndex<F>::open(std::move(options));
  EXPECT_TRUE(index) << index.error().message;
  return std::move(*index);
}

template <Fingerprint F>
std::vector<Hit<F>> search(const Snapshot<F>& snapshot, const std::vector<F>& queries, unsigned most,
                           HitRule rule = HitRule::all) {
  std::vector<Hit<F>> hits;
  typename Snapshot<F>::Scratch scratch;
  const auto searched = snapshot.search(queries, most, rule, scratch, hits);
  EXPECT_TRUE(searched) << searched.error().message;
  return hits;
}

template <Fingerprint F>
std::vector<Hit<F>> expected_hits(const std::set<Row<F>>& rows, const std::vector<F>& queries, unsigned most,
                                  HitRule rule) {
  auto hits = search_slowly(std::vector<Row<F>>(rows.begin(), rows.end()), queries, most);
  if (rule == HitRule::nearest) {
    const auto rest = std::unique(hits.begin(), hits.end(),
                                  [](const auto& x, const auto& y) { return x.query == y.query; });
    hits.erase(rest, hits.end());
  }
  return hits;
}

/// A folder that is removed after the test.
class HammingIndexTest : public ::testing::Test {
 protected:
  HammingIndexTest() { std::filesystem::remove_all(folder_); }
  ~HammingIndexTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = test::temp_path();
};

/// Random changes, flushes, merges and reopenings, compared with a set after each; snapshots of earlier
/// states must not have changed.
template <Fingerprint F>
void compare_with_a_set(IndexOptions options, unsigned seed) {
  std::mt19937_64 random(seed);
  auto index = open<F>(options);
  std::set<Row<F>> model;
  struct Kept {
    Snapshot<F> snapshot;
    std::set<Row<F>> rows;
  };
  std::vector<Kept> kept;
  for (unsigned turn = 0; turn < 60; ++turn) {
    const std::uint64_t what = random() % 10;
    if (what < 6) {
      auto rows = random_rows<F>(random() % 120, random);
      if (!model.empty())  // some that are there
        for (int i = 0; i < 5; ++i) rows.push_back(*std::next(model.begin(), random() % model.size()));
      ASSERT_TRUE(index->insert(rows));
      model.insert(rows.begin(), rows.end());
    } else if (what < 8) {
      std::vector<Row<F>> rows = random_rows<F>(3, random);
      for (const Row<F>& row : model)
        if (random() % 4 == 0) rows.push_back(row);
      ASSERT_TRUE(index->remove(rows));
      for (const Row<F>& row : rows) model.erase(row);
    } else if (what == 8) {
      ASSERT_TRUE(random() % 3 == 0 ? index->merge() : index->flush());
    } else if (!options.folder.empty()) {
      ASSERT_TRUE(index->flush());
      index.reset();
      index = open<F>(options);
    }
    kept.push_back({index->snapshot(), model});
    if (kept.size() > 5) kept.erase(kept.begin());
    const std::vector<Row<F>> rows(model.begin(), model.end());
    const auto queries = random_queries(rows, 40, random);
    for (const Kept& k : kept) {
      const auto rule = random() % 2 == 0 ? HitRule::all : HitRule::nearest;
      const auto most = static_cast<unsigned>(random() % (options.distance + 1));
      ASSERT_EQ(search(k.snapshot, queries, most, rule), expected_hits(k.rows, queries, most, rule))
          << "seed " << seed << ", turn " << turn;
      const auto any = search(k.snapshot, queries, most, HitRule::any);
      const auto nearest = expected_hits(k.rows, queries, most, HitRule::nearest);
      ASSERT_EQ(any.size(), nearest.size());
      for (std::size_t i = 0; i < any.size(); ++i) {
        EXPECT_EQ(any[i].query, nearest[i].query);
        EXPECT_TRUE(k.rows.contains({any[i].fingerprint, any[i].id}));
      }
    }
  }
}

TEST_F(HammingIndexTest, IsASetOfRowsInMemory) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const unsigned distance = seed % 4 == 3 ? 7 : 3;
    compare_with_a_set<Fingerprint64>(
        {.distance = distance, .changes_in_memory = 64, .merge_in_background = seed % 2 == 0}, seed);
  }
}

TEST_F(HammingIndexTest, IsASetOfRowsOf128Bits) {
  for (unsigned seed = 0; seed < 4; ++seed)
    compare_with_a_set<Fingerprint128>({.changes_in_memory = 64, .merge_in_background = seed % 2 == 0}, seed);
}

TEST_F(HammingIndexTest, IsASetOfRowsInAFolder) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    std::filesystem::remove_all(folder_);
    compare_with_a_set<Fingerprint64>({.folder = folder_,
                                       .residence = seed == 0 ? Residence::mapped : Residence::loaded,
                                       .changes_in_memory = 64,
                                       .merge_in_background = seed == 0},
                                      seed);
  }
}

TEST_F(HammingIndexTest, MergedIntoOneLevelNothingThatWasRemovedIsLeft) {
  std::mt19937_64 random(1);
  auto index = open<Fingerprint64>({.folder = folder_, .changes_in_memory = 64});
  const auto rows = random_rows<Fingerprint64>(1000, random);
  ASSERT_TRUE(index->insert(rows));
  ASSERT_TRUE(index->remove(rows));
  ASSERT_TRUE(index->insert(rows[5]));
  ASSERT_TRUE(index->merge());
  EXPECT_EQ(index->figures().rows, 1u);
  EXPECT_EQ(index->figures().levels, 1u);
  EXPECT_EQ(index->figures().changes, 0u);
  ASSERT_TRUE(index->remove(rows[5]));
  ASSERT_TRUE(index->merge());
  EXPECT_EQ(index->figures().levels, 0u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    files += entry.path().filename().string().starts_with("level-") ? 1 : 0;
  EXPECT_EQ(files, 0u);
}

TEST_F(HammingIndexTest, LevelsAreFew) {
  std::mt19937_64 random(2);
  auto index = open<Fingerprint64>({.changes_in_memory = 64, .merge_in_background = false});
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(index->insert({random(), random()}));
    ASSERT_LE(index->figures().levels, 7u);
  }
  // Each merge adds at least half of the level that it replaces.
  EXPECT_LT(index->figures().merged_rows, 20000u * 14);
}

TEST_F(HammingIndexTest, ReadersDuringWritesSeeStatesThatDoNotChange) {
  auto index = open<Fingerprint64>({.changes_in_memory = 256});
  // Rows come in pairs of which one row leaves again, so a snapshot holds every fingerprint up to some pair.
  constexpr std::uint64_t kPairs = 6000;
  const auto fingerprint = [](std::uint64_t pair) { return std::mt19937_64(pair)(); };
  std::atomic<bool> done{false};
  const auto read = [&](unsigned seed) {
    std::mt19937_64 random(seed);
    std::uint64_t seen = 0;
    while (!done.load()) {
      const auto snapshot = index->snapshot();
      std::vector<std::uint64_t> queries;
      for (int i = 0; i < 40; ++i)
        queries.push_back(fingerprint(random() % kPairs) ^ (1ull << random() % 64));
      const auto once = search(snapshot, queries, 3);
      const auto again = search(snapshot, queries, 3);
      EXPECT_EQ(once, again);
      for (const auto& hit : once) EXPECT_EQ(hit.fingerprint, fingerprint(hit.id / 2));
      std::uint64_t newest = 0;
      for (std::uint64_t step = kPairs; step > 0; step /= 2)  // the newest pair that exists
        if (newest + step < kPairs && !search(snapshot, std::vector{fingerprint(newest + step)}, 0).empty())
          newest += step;
      EXPECT_GE(newest, seen);
      seen = newest;
    }
  };
  std::thread first(read, 1), second(read, 2);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const Row<Fingerprint64> rows[] = {{fingerprint(pair), 2 * pair}, {fingerprint(pair), 2 * pair + 1}};
    ASSERT_TRUE(index->insert(rows));
    if (pair % 3 == 2) {
      const Row<Fingerprint64> gone{fingerprint(pair / 3), 2 * (pair / 3)};
      ASSERT_TRUE(index->remove(gone));
    }
    if (pair % 1500 == 1499) {
      ASSERT_TRUE(index->merge());
    }
  }
  done = true;
  first.join();
  second.join();
  ASSERT_TRUE(index->merge());
  EXPECT_EQ(index->figures().rows, 2 * kPairs - kPairs / 3);
}

TEST_F(HammingIndexTest, SearchesInParallelAsInSequence) {
  std::mt19937_64 random(4);
  auto index = open<Fingerprint64>({.changes_in_memory = 1024});
  const auto rows = random_rows<Fingerprint64>(10000, random);
  ASSERT_TRUE(index->insert(rows));
  const auto queries = random_queries(rows, 50000, random);
  const auto snapshot = index->snapshot();
  std::vector<Hit<Fingerprint64>> passed_on;
  ASSERT_TRUE(snapshot.search_batch(queries, 2, HitRule::all, {},
                                    [&](std::span<const Hit<Fingerprint64>> hits) -> Result<void> {
                                      passed_on.insert(passed_on.end(), hits.begin(), hits.end());
                                      return {};
                                    }));
  EXPECT_EQ(passed_on, search(snapshot, queries, 2));
}

// Uses threads of its own, since the thread sanitizer does not see how those of tbb wait for each other.
TEST_F(HammingIndexTest, SearchesAFileOnManyThreadsAsOnOne) {
  std::mt19937_64 random(5);
  const auto rows = random_rows<Fingerprint64>(20000, random);
  const auto queries = random_queries(rows, 3000, random);
  auto index = open<Fingerprint64>({.folder = folder_, .changes_in_memory = 4096});
  ASSERT_TRUE(index->insert(rows));
  ASSERT_TRUE(index->flush());
  const auto expected = search(index->snapshot(), queries, 3);
  index.reset();
  // After reopening, no part of the files has been checked: all threads begin with the same chunks.
  index = open<Fingerprint64>({.folder = folder_, .changes_in_memory = 4096});
  const auto snapshot = index->snapshot();
  std::vector<std::vector<Hit<Fingerprint64>>> found(3);
  std::vector<std::thread> threads;
  for (auto& hits : found) threads.emplace_back([&] { hits = search(snapshot, queries, 3); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& hits : found) EXPECT_EQ(hits, expected);
}

TEST_F(HammingIndexTest, SaysWhatItCantDo) {
  auto index = open<Fingerprint64>({.folder = folder_});
  std::vector<Hit<Fingerprint64>> hits;
  Snapshot<Fingerprint64>::Scratch scratch;
  const std::uint64_t query = 1;
  const auto far = index->snapshot().search({&query, 1}, 4, HitRule::all, scratch, hits);
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().message.find("up to 3"), std::string::npos);
  const auto second = HammingIndex<Fingerprint64>::open({.folder = folder_});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another process"), std::string::npos);
  index.reset();
  EXPECT_FALSE(HammingIndex<Fingerprint64>::open({.distance = 5, .folder = folder_}));
  EXPECT_FALSE(HammingIndex<Fingerprint128>::open({.folder = folder_}));
  EXPECT_FALSE(HammingIndex<Fingerprint64>::open({.distance = 17}));
  EXPECT_FALSE(HammingIndex<Fingerprint64>::open({.changes_in_memory = 100}));
}

}  // namespace
}  // namespace leitong::hamming
