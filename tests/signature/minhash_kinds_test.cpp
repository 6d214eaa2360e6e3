// The other MinHash schemes: K permutations, one permutation, b bits, weighted sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "leitong/b_bit.hpp"
#include "leitong/icws.hpp"
#include "signature/minhash.hpp"

namespace leitong {
namespace {

constexpr std::size_t kValues = 128;
using Elements = std::vector<std::uint32_t>;
using Signature = std::vector<std::uint32_t>;

Signature permutations(const Elements& elements, Simd level, std::size_t values = kValues) {
  Signature signature(values);
  EXPECT_TRUE(minhash_permutations(elements, signature, level));
  return signature;
}
Signature permutations(const Elements& elements) { return permutations(elements, simd_level()); }
Signature one_permutation(const Elements& elements) {
  Signature signature(kValues);
  EXPECT_TRUE(minhash_one_permutation(elements, signature));
  return signature;
}

Elements random_set(std::mt19937& random, std::size_t size) {
  Elements elements(size);
  for (auto& element : elements) element = static_cast<std::uint32_t>(random());
  return elements;
}
double share_equal(const Signature& a, const Signature& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

TEST(MinhashPermutations, AllKernelsGiveTheSameBits) {
  std::mt19937 random(1);
  for (const std::size_t values : {16, 48, 64, 112, 128, 144, 256})
    for (const std::size_t size : {1, 2, 3, 17, 100, 1001}) {
      const Elements elements = random_set(random, size);
      const Signature expected = permutations(elements, Simd::scalar, values);
      for (const Simd level : {Simd::avx2, Simd::avx512}) {
        if (level > simd_level()) continue;
        ASSERT_EQ(permutations(elements, level, values), expected) << simd_name(level);
      }
    }
}

TEST(MinhashPermutations, AUnionsValueIsTheSmallerOfItsParts) {
  std::mt19937 random(2);
  const Elements a = random_set(random, 50), b = random_set(random, 70);
  Elements both = a;
  both.insert(both.end(), b.begin(), b.end());
  const Signature of_a = permutations(a), of_b = permutations(b), of_both = permutations(both);
  for (std::size_t k = 0; k < kValues; ++k) EXPECT_EQ(of_both[k], std::min(of_a[k], of_b[k]));
}

TEST(MinhashKinds, EmptySetsHaveNoSignature) {
  Signature signature(kValues, 7);
  EXPECT_FALSE(minhash_permutations({}, signature));
  EXPECT_FALSE(minhash_one_permutation({}, signature));
  std::vector<std::uint64_t> values(4, 7);
  EXPECT_FALSE(icws(std::vector<Feature>{{1, 0}}, values));
  EXPECT_EQ(signature[0], 7u);
  EXPECT_EQ(values[0], 7u);
}

TEST(MinhashKinds, RepetitionAndOrderChangeNothing) {
  std::mt19937 random(3);
  Elements elements = random_set(random, 40);
  const Signature first = permutations(elements), second = one_permutation(elements);
  elements.insert(elements.end(), elements.begin(), elements.begin() + 20);
  std::shuffle(elements.begin(), elements.end(), random);
  EXPECT_EQ(permutations(elements), first);
  EXPECT_EQ(one_permutation(elements), second);
}

TEST(MinhashKinds, EstimatesAreUnbiasedWithinTheirVariance) {
  for (const std::size_t size : {10, 100, 1000}) {
    std::mt19937 random(4);
    constexpr int kTrials = 800;
    const std::size_t shared = size / 2;
    const double jaccard = static_cast<double>(shared) / static_cast<double>(2 * size - shared);
    const double variance = jaccard * (1 - jaccard) / kValues;
    double sum[2] = {}, square[2] = {};
    for (int trial = 0; trial < kTrials; ++trial) {
      const Elements a = random_set(random, size);
      Elements b = random_set(random, size);
      std::copy_n(a.begin(), shared, b.begin());
      const double errors[2] = {share_equal(permutations(a), permutations(b)) - jaccard,
                                share_equal(one_permutation(a), one_permutation(b)) - jaccard};
      for (int i = 0; i < 2; ++i) sum[i] += errors[i], square[i] += errors[i] * errors[i];
    }
    EXPECT_NEAR(sum[0] / kTrials, 0, 4 * std::sqrt(variance / kTrials)) << size;
    EXPECT_LE(square[0] / kTrials, variance * 1.25) << size;
    // With fewer elements than bins the densified bins depend on each other: unbiased, but with up to K/n
    // times the variance.
    const double densified = variance * (1 + static_cast<double>(kValues) / static_cast<double>(size));
    EXPECT_NEAR(sum[1] / kTrials, 0, 4 * std::sqrt(densified / kTrials)) << size;
    EXPECT_LE(square[1] / kTrials, densified * 1.25) << size;
  }
}

TEST(BBit, PackingKeepsTheLowestBitsOfEveryValue) {
  const Signature values = {0xabc5, 0x1236, 0xfff7};
  const auto packed = pack_b_bits(values, 4);
  ASSERT_EQ(packed.size(), 1u);
  EXPECT_EQ(packed[0], 0x765u);
  EXPECT_EQ(pack_b_bits(Signature(13, 0x1f), 5).size(), 2u) << "65 bits";
  EXPECT_EQ(pack_b_bits(Signature(13, 0x1f), 5)[1], 1u);
}

TEST(BBit, EstimateTakesChanceOut) {
  const Signature a = {1, 2, 3, 4}, b = {1, 2, 7, 8};
  EXPECT_DOUBLE_EQ(b_bit_jaccard(pack_b_bits(a, 8), pack_b_bits(b, 8), 4, 8),
                   (.5 - 1.0 / 256) / (1 - 1.0 / 256));
  EXPECT_DOUBLE_EQ(b_bit_jaccard(pack_b_bits(a, 3), pack_b_bits(a, 3), 4, 3), 1);
  std::mt19937 random(5);
  double sum = 0;
  for (int trial = 0; trial < 300; ++trial)
    sum += b_bit_jaccard(pack_b_bits(permutations(random_set(random, 60)), 1),
                         pack_b_bits(permutations(random_set(random, 60)), 1), kValues, 1);
  EXPECT_NEAR(sum / 300, 0, 4 * std::sqrt(1.0 / kValues / 300)) << "strangers are 0 on average";
}

TEST(Icws, WeightedJaccardByHand) {
  const std::vector<Feature> a = {{1, 2}, {2, 4}}, b = {{2, 1}, {3, 3}};
  EXPECT_DOUBLE_EQ(weighted_jaccard(a, b), 1.0 / (2 + 4 + 3));
  EXPECT_DOUBLE_EQ(weighted_jaccard(a, a), 1);
  EXPECT_DOUBLE_EQ(weighted_jaccard({}, {}), 1);
  EXPECT_DOUBLE_EQ(weighted_jaccard(a, {}), 0);
}

TEST(Icws, EstimatesTheWeightedJaccard) {
  std::mt19937_64 random(6);
  constexpr int kTrials = 200;
  double error = 0, square = 0, variance = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<Feature> a, b;
    for (std::uint64_t i = 0; i < 30; ++i) {
      const std::uint64_t hash = random() >> 8 | i << 56;
      const auto weight = static_cast<float>(1 + random() % 100) / 10;
      if (i % 3 != 0) a.push_back({hash, weight});
      if (i % 4 != 0) b.push_back({hash, weight * static_cast<float>(1 + random() % 3)});
    }
    std::array<std::uint64_t, kValues> x, y;
    ASSERT_TRUE(icws(a, x));
    ASSERT_TRUE(icws(b, y));
    std::size_t equal = 0;
    for (std::size_t k = 0; k < kValues; ++k) equal += x[k] == y[k] ? 1 : 0;
    const double jaccard = weighted_jaccard(a, b), off = static_cast<double>(equal) / kValues - jaccard;
    error += off;
    square += off * off;
    variance += jaccard * (1 - jaccard) / kValues;
  }
  EXPECT_NEAR(error / kTrials, 0, 4 * std::sqrt(variance) / kTrials);
  EXPECT_LE(square, variance * 1.4);
}

}  // namespace
}  // namespace leitong
