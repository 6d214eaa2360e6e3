#include "feature/repetition.hpp"

#include <gtest/gtest.h>

#include "feature/repeated_units.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

using testing::random_units;
using testing::repeated;

std::size_t distinct_if_repetitive(const PodVector<Unit>& units) {
  PodVector<std::uint32_t> shingles;
  shingle_hashes(units, shingles);
  RepetitionScratch scratch;
  return may_repeat(shingles) ? repetitive_set(units, scratch).size() : 0;
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

TEST(Repetition, OrdinaryTextsHaveNoneAndAreSeldomSuspected) {
  int suspected = 0;
  for (std::uint32_t seed = 0; seed < 2'000; ++seed) {
    const PodVector<Unit> units = random_units(seed, seed);
    ASSERT_EQ(distinct_if_repetitive(units), 0u) << seed;
    PodVector<std::uint32_t> shingles;
    shingle_hashes(units, shingles);
    suspected += may_repeat(shingles);
  }
  EXPECT_LT(suspected, 20) << "a suspicion costs a sort";
}

TEST(Repetition, AChoiceByTheLowestBitsIsNoRepetition) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    PodVector<std::uint32_t> shingles, chosen;
    shingle_hashes(random_units(5'000, seed), shingles);
    for (const std::uint32_t shingle : shingles)
      if (shingle % 16 == 0) chosen.push_back(shingle);
    EXPECT_FALSE(may_repeat(chosen)) << seed;
  }
}

TEST(Repetition, IsSeldomOverlooked) {
  int seen = 0;
  for (std::uint32_t seed = 0; seed < 1'000; ++seed)
    seen += distinct_if_repetitive(repeated(random_units(30 + seed % 200, seed), 5 + seed % 20)) > 0;
  EXPECT_GE(seen, 990);
}

}  // namespace
}  // namespace leitong
