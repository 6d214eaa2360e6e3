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

std::vector<HammingPair> join(const Fingerprints& fingerprints, unsigned distance) {
  std::vector<HammingPair> joined;
  const auto figures =
      hamming_join(fingerprints, distance, [&](std::span<const HammingPair> pairs) -> Result<void> {
        joined.insert(joined.end(), pairs.begin(), pairs.end());
        return {};
      });
  EXPECT_TRUE(figures.has_value());
  EXPECT_EQ(figures->pairs, joined.size());
  return sorted(std::move(joined));
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

TEST(HammingJoin, FindsWhatBruteForceFinds) {
  std::mt19937_64 random(1);
  const Fingerprints fingerprints = crowd(700, ~0ULL, random);
  for (unsigned distance : {0, 1, 3, 10, 16})
    ASSERT_EQ(join(fingerprints, distance), brute_force(fingerprints, distance)) << "distance " << distance;
}

TEST(HammingJoin, EqualFingerprintsArePairs) {
  const Fingerprints fingerprints(300, 0xabcdULL);
  EXPECT_EQ(join(fingerprints, 3).size(), 300u * 299 / 2);
  EXPECT_EQ(join(fingerprints, 3), brute_force(fingerprints, 3));
}

TEST(HammingJoin, NothingAndOneHaveNoPairs) {
  EXPECT_TRUE(join({}, 3).empty());
  EXPECT_TRUE(join({0}, 3).empty());
}

TEST(HammingJoin, RefusesDistancesThatNoPlanIsMadeFor) {
  const auto figures = hamming_join(Fingerprints{1, 2}, 17, [](auto) -> Result<void> { return {}; });
  ASSERT_FALSE(figures.has_value());
  EXPECT_EQ(figures.error().code, ErrorCode::invalid_argument);
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
