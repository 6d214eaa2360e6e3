#include "feature/window_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace leitong {
namespace {

constexpr SelectionSeed kSeed = {0x9E3779B1u, 12345, 67890};

// A reference implementation: one pass for each window. Hashes are used in place of the shingles that have
// them.
std::set<std::uint32_t> chosen_by(const PodVector<std::uint32_t>& hashes, std::size_t window) {
  std::set<std::uint32_t> chosen;
  const std::size_t size = std::min(window, hashes.size());
  for (std::size_t first = 0; first + size <= hashes.size(); ++first)
    chosen.insert(*std::min_element(hashes.begin() + first, hashes.begin() + first + size));
  return chosen;
}

void expect_all_windows(const std::vector<Unit>& units, std::size_t k, std::size_t window) {
  WindowLevelScratch scratch;
  PodVector<ChosenShingle> chosen;
  window_levels(units, k, window, kSeed, scratch, chosen);
  PodVector<std::uint32_t> hashes, other;
  if (units.size() < k) {
    EXPECT_EQ(chosen.size(), 0u);
    return;
  }
  seeded_selection(units, k, kSeed, other, hashes);
  std::map<std::uint32_t, std::uint32_t> level;  // highest level of a hash
  for (const ChosenShingle& c : chosen) {
    ASSERT_LT(c.place, hashes.size());
    std::uint32_t& highest = level[hashes[c.place]];
    highest = std::max(highest, c.level);
  }
  EXPECT_EQ(level.size(), chosen_by(hashes, window).size());
  for (std::size_t l = 0; window << l <= hashes.size(); ++l) {
    std::set<std::uint32_t> of_level;
    for (const auto& [hash, highest] : level)
      if (highest >= l) of_level.insert(hash);
    EXPECT_EQ(of_level, chosen_by(hashes, window << l)) << "window " << (window << l);
  }
}

TEST(WindowLevels, AreThoseOfAPassForEachWindow) {
  std::mt19937 random(1);
  for (const std::size_t size : {0u, 5u, 6u, 7u, 9u, 12u, 20u, 64u, 100u, 511u, 1000u, 5000u})
    for (const std::uint32_t letters : {1u, 2u, 5000u})  // much, some and no repetition
      for (const auto& [k, window] : {std::pair<std::size_t, std::size_t>{6, 4}, {12, 16}, {12, 32}}) {
        std::vector<Unit> units(size);
        for (Unit& unit : units) unit = 0x4e00 + random() % letters;
        SCOPED_TRACE(testing::Message() << size << " units of " << letters << ", " << k << ", " << window);
        expect_all_windows(units, k, window);
      }
}

TEST(WindowLevels, AnotherSeedChoosesOtherShingles) {
  std::vector<Unit> units(2000);
  std::mt19937 random(2);
  for (Unit& unit : units) unit = 0x4e00 + random() % 3000;
  const auto places = [&](const SelectionSeed& seed) {
    WindowLevelScratch scratch;
    PodVector<ChosenShingle> chosen;
    window_levels(units, 12, 16, seed, scratch, chosen);
    std::set<std::uint32_t> result;
    for (const ChosenShingle& c : chosen) result.insert(c.place);
    return result;
  };
  for (const SelectionSeed& other : {SelectionSeed{1, 12345, 67890}, SelectionSeed{0x9E3779B1u, 3, 67890},
                                     SelectionSeed{0x9E3779B1u, 12345, 4}}) {
    const auto a = places(kSeed), b = places(other);
    std::vector<std::uint32_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    EXPECT_LT(both.size(), a.size() / 3);  // 2 of 17 by chance
  }
}

}  // namespace
}  // namespace leitong
