// How many works hold a shingle, beside exact counts.
#include "online/shingle_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "temp_folder.hpp"

namespace leitong::online {
namespace {

/// Works of 300 shingles, some of which are in many of them; and the exact counts.
struct Works {
  explicit Works(std::size_t works) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> common(2'000);
    for (std::uint32_t& shingle : common) shingle = static_cast<std::uint32_t>(random());
    for (std::size_t w = 0; w < works; ++w) {
      std::vector<std::uint32_t> shingles;
      for (int i = 0; i < 200; ++i) shingles.push_back(static_cast<std::uint32_t>(random()));
      for (int i = 0; i < 100; ++i) shingles.push_back(common[random() % (w % 2 == 0 ? 2'000 : 200)]);
      std::ranges::sort(shingles);
      shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
      counts.add(shingles);
      for (const std::uint32_t shingle : shingles) ++exact[shingle];
    }
    for (const auto& [shingle, works_of_it] : exact) all.push_back(shingle);
  }
  ShingleCounts counts;
  std::map<std::uint32_t, unsigned> exact;
  std::vector<std::uint32_t> all;
};

std::vector<std::uint32_t> held_by(const ShingleCounts& counts, const std::vector<std::uint32_t>& shingles,
                                   unsigned works) {
  PodVector<std::uint32_t> held;
  counts.held_by(shingles, works, held);
  return {held.begin(), held.end()};
}

TEST(OnlineShingleCounts, AreExact) {
  const Works works(1'000);  // the table is doubled seven times
  for (unsigned least = 1; least <= TemplateRule::kFamilies; ++least) {
    std::vector<std::uint32_t> expected;
    for (const auto& [shingle, count] : works.exact)
      if (count >= least) expected.push_back(shingle);
    EXPECT_EQ(held_by(works.counts, works.all, least), expected) << least;
  }
}

// The rows of slots that are taken go on at the begin of the table.
TEST(OnlineShingleCounts, AreExactForEveryNumberOfShingles) {
  const TempFolder folder("shingle-counts");
  std::mt19937 random(7);
  ShingleCounts counts;
  std::set<std::uint32_t> added;
  for (int round = 0; round < 120; ++round) {
    std::set<std::uint32_t> more;
    while (more.size() < 50)
      if (const auto shingle = static_cast<std::uint32_t>(random()); !added.contains(shingle))
        more.insert(shingle);
    counts.add(std::vector(more.begin(), more.end()));
    added.merge(more);
    ASSERT_TRUE(counts.write(folder.path() / "counts"));
    ShingleCounts read;
    ASSERT_TRUE(read.read(folder.path() / "counts"));
    const std::vector all(added.begin(), added.end());
    ASSERT_EQ(held_by(counts, all, 1), all);
    ASSERT_EQ(held_by(read, all, 1), all);
    ASSERT_TRUE(held_by(read, all, 2).empty());
  }
}

TEST(OnlineShingleCounts, AreTheSameInAFile) {
  const TempFolder folder("shingle-counts");
  Works works(300);
  works.counts.texts = 300;
  ASSERT_TRUE(works.counts.write(folder.path() / "counts"));
  ShingleCounts read;
  ASSERT_TRUE(read.read(folder.path() / "counts"));
  EXPECT_EQ(read.texts, 300u);
  EXPECT_EQ(read.bytes(), works.counts.bytes());
  EXPECT_EQ(held_by(read, works.all, 8), held_by(works.counts, works.all, 8));
  const std::vector<std::uint32_t> more = {1, 2, 3};
  read.add(more);
  works.counts.add(more);
  EXPECT_EQ(held_by(read, works.all, 2), held_by(works.counts, works.all, 2));
}

TEST(OnlineShingleCounts, CanBeReadWhileOthersAreAdded) {
  ShingleCounts counts;
  const std::vector<std::uint32_t> known = {3, 5, 8, 13, 21};
  for (unsigned works = 0; works < TemplateRule::kFamilies; ++works) counts.add(known);
  std::atomic<bool> ended = false;
  std::thread reader([&] {
    while (!ended) ASSERT_EQ(held_by(counts, known, TemplateRule::kFamilies), known);
  });
  std::vector<std::uint32_t> work(1'000);
  for (std::uint32_t i = 0; i < 300; ++i) {
    std::iota(work.begin(), work.end(), 1'000 * (i + 1));
    counts.add(work);
  }
  ended = true;
  reader.join();
}

TEST(OnlineShingleCounts, AnEmptyOneKnowsNone) {
  EXPECT_TRUE(held_by(ShingleCounts(), {1, 2, 3}, 1).empty());
}

}  // namespace
}  // namespace leitong::online
