#include "index/hamming_join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <tuple>
#include <vector>

namespace leitong {
namespace {

using Fingerprints = std::vector<std::uint64_t>;

std::vector<HammingPair> sorted(std::vector<HammingPair> pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const HammingPair& x, const HammingPair& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
  return pairs;
}

std::vector<HammingPair> brute_force(const Fingerprints& fingerprints, unsigned distance) {
  std::vector<HammingPair> pairs;
  for (std::uint32_t a = 0; a < fingerprints.size(); ++a)
    for (std::uint32_t b = a + 1; b < fingerprints.size(); ++b) {
      const auto different = static_cast<std::uint32_t>(std::popcount(fingerprints[a] ^ fingerprints[b]));
      if (different <= distance) pairs.push_back({a, b, different});
    }
  return pairs;
}

struct Joined {
  std::vector<HammingPair> pairs;
  HammingJoinFigures figures;
};

Joined join(const Fingerprints& fingerprints, unsigned distance, Simd level = simd_level()) {
  Joined joined;
  const auto figures = hamming_join(
      fingerprints, distance,
      [&](std::span<const HammingPair> pairs) -> Result<void> {
        joined.pairs.insert(joined.pairs.end(), pairs.begin(), pairs.end());
        return {};
      },
      level);
  EXPECT_TRUE(figures.has_value());
  joined.figures = *figures;
  joined.pairs = sorted(std::move(joined.pairs));
  return joined;
}

std::uint64_t with_flipped_bits(std::uint64_t fingerprint, unsigned count, std::mt19937_64& random) {
  for (unsigned i = 0; i < count; ++i) fingerprint ^= std::uint64_t{1} << random() % 64;
  return fingerprint;
}

/// Random fingerprints, a third of them near an earlier one, some of them equal to it. `mask` holds the bits
/// that vary.
Fingerprints crowd(std::size_t count, std::uint64_t mask, std::mt19937_64& random) {
  Fingerprints fingerprints;
  for (std::size_t i = 0; i < count; ++i)
    fingerprints.push_back(i % 3 == 2 ? with_flipped_bits(fingerprints[random() % i], random() % 6, random)
                                      : random() & mask);
  return fingerprints;
}

TEST(HammingJoin, FindsWhatBruteForceFindsAtAnyDistance) {
  std::mt19937_64 random(1);
  const Fingerprints fingerprints = crowd(700, ~0ULL, random);
  for (unsigned distance : {0, 1, 2, 3, 4, 7, 10, 20, 31, 63, 64})
    for (Simd level : {Simd::scalar, simd_level()})
      ASSERT_EQ(join(fingerprints, distance, level).pairs, brute_force(fingerprints, distance))
          << "distance " << distance << ", " << simd_name(level);
}

TEST(HammingJoin, SplitsOverfullBucketsAndLosesNothing) {
  std::mt19937_64 random(2);
  // Skew of several kinds: one block constant, two, all but a few bits spread over the blocks.
  for (std::uint64_t mask : {0xffffffffffff0000ULL, 0xffff0000ffff0000ULL, 0x00ffffffffffULL,
                             0x0fff0fff0fff0fffULL, 0x1111111111111111ULL}) {
    const Fingerprints fingerprints = crowd(4000, mask, random);
    const Joined joined = join(fingerprints, 3);
    ASSERT_EQ(joined.pairs, brute_force(fingerprints, 3)) << std::hex << mask;
  }
}

TEST(HammingJoin, SkewThatASplitCuresIsNotQuadratic) {
  std::mt19937_64 random(3);
  Fingerprints fingerprints(6'000);
  for (auto& fingerprint : fingerprints) fingerprint = random() << 16;  // all agree in the lowest block
  const Joined joined = join(fingerprints, 3);
  EXPECT_EQ(joined.pairs, brute_force(fingerprints, 3));
  EXPECT_GT(joined.figures.splits, 0u);
  EXPECT_LT(joined.figures.compared, 6'000ULL * 5'999 / 2 / 20);
}

TEST(HammingJoin, EqualFingerprintsArePairs) {
  const Fingerprints fingerprints(1500, 0xabcdULL);
  const Joined joined = join(fingerprints, 3);
  EXPECT_EQ(joined.pairs.size(), 1500u * 1499 / 2);
  EXPECT_EQ(joined.figures.pairs, joined.pairs.size());
  EXPECT_EQ(joined.pairs, brute_force(fingerprints, 3));
}

TEST(HammingJoin, NothingAndOneHaveNoPairs) {
  EXPECT_TRUE(join({}, 3).pairs.empty());
  EXPECT_TRUE(join({0}, 3).pairs.empty());
}

TEST(HammingJoin, StopsWhereTheReceiverFails) {
  const Fingerprints fingerprints(100, 7);
  int calls = 0;
  const auto figures = hamming_join(fingerprints, 3, [&](std::span<const HammingPair>) -> Result<void> {
    ++calls;
    return fail(ErrorCode::cancelled, "enough");
  });
  ASSERT_FALSE(figures.has_value());
  EXPECT_EQ(figures.error().code, ErrorCode::cancelled);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace leitong
