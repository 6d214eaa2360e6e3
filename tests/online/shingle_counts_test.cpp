// How many works hold a shingle, beside exact counts.
#include "online/shingle_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
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

TEST(OnlineShingleCounts, AreRightForNearlyAllShingles) {
  const Works works(1'000);  // two layers
  for (const unsigned least : {1U, 7U, 8U}) {
    const std::vector<std::uint32_t> held = held_by(works.counts, works.all, least);
    std::size_t wrong = 0;
    for (const auto& [shingle, count] : works.exact)
      wrong += std::ranges::binary_search(held, shingle) != (count >= least);
    EXPECT_LT(wrong, works.exact.size() / 500) << least;
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

TEST(OnlineShingleCounts, AnEmptyOneKnowsNone) {
  EXPECT_TRUE(held_by(ShingleCounts(), {1, 2, 3}, 1).empty());
}

}  // namespace
}  // namespace leitong::online
