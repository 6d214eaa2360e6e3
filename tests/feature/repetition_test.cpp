#include "feature/repetition.hpp"

#include <gtest/gtest.h>

#include <random>

#include "feature/shingles.hpp"

namespace leitong {
namespace {

std::size_t distinct_if_repetitive(const PodVector<Unit>& units) {
  PodVector<std::uint32_t> shingles;
  shingle_hashes(units, shingles);
  RepetitionScratch scratch;
  return repetitive_set(units, shingles, scratch).size();
}

PodVector<Unit> random_units(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  PodVector<Unit> units;
  for (; count > 0; --count) units.push_back(0x4e00 + random() % 3'000);
  return units;
}

PodVector<Unit> repeated(const PodVector<Unit>& once, std::size_t times) {
  PodVector<Unit> units;
  for (; times > 0; --times) units.append(once);
  return units;
}

TEST(Repetition, OfOneCharacterIsOneShingle) {
  const PodVector<Unit> one = random_units(1, 1);
  EXPECT_EQ(distinct_if_repetitive(repeated(one, 7)), 0u) << "three shingles are too few to say";
  for (const std::size_t times : {8u, 9u, 100u, 309u, 100'000u})
    EXPECT_EQ(distinct_if_repetitive(repeated(one, times)), 1u) << times;
}

TEST(Repetition, IsSeenFromFourTimesOn) {
  for (const std::size_t length : {20u, 150u, 2'000u}) {
    const PodVector<Unit> once = random_units(length, 2);
    for (const std::size_t times : {1u, 2u, 3u})
      EXPECT_EQ(distinct_if_repetitive(repeated(once, times)), 0u) << length << " x " << times;
    for (const std::size_t times : {5u, 20u})
      EXPECT_EQ(distinct_if_repetitive(repeated(once, times)), length) << length << " x " << times;
  }
}

TEST(Repetition, ATailOfOtherTextChangesNothing) {
  PodVector<Unit> units = repeated(random_units(1, 3), 2'000);
  units.append(random_units(60, 4));
  EXPECT_EQ(distinct_if_repetitive(units), 1 + 60u);
}

TEST(Repetition, OrdinaryTextsHaveNone) {
  for (std::uint32_t seed = 0; seed < 2'000; ++seed)
    ASSERT_EQ(distinct_if_repetitive(random_units(seed, seed)), 0u) << seed;
}

TEST(Repetition, IsSeldomOverlooked) {
  int seen = 0;
  for (std::uint32_t seed = 0; seed < 1'000; ++seed)
    seen += distinct_if_repetitive(repeated(random_units(30 + seed % 200, seed), 5 + seed % 20)) > 0;
  EXPECT_GE(seen, 990);
}

}  // namespace
}  // namespace leitong
