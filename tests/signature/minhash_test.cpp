#include "signature/minhash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::size_t kValues = 128;
using Elements = std::vector<std::uint32_t>;
using Signature = std::array<MinhashValue, kValues>;

Signature signature_of(const Elements& elements) {
  MinhashScratch scratch;
  Signature values{};
  EXPECT_TRUE(minhash(elements, scratch, values));
  return values;
}

/// Two sets of `size` elements each that share `shared`.
std::pair<Elements, Elements> pair_of_sets(std::mt19937& random, std::size_t size_a, std::size_t size_b,
                                           std::size_t shared) {
  Elements a(size_a), b(size_b);
  for (auto& element : a) element = static_cast<std::uint32_t>(random());
  for (auto& element : b) element = static_cast<std::uint32_t>(random());
  std::copy_n(a.begin(), shared, b.begin());
  std::shuffle(b.begin(), b.end(), random);
  return {a, b};
}

/// The definition, without an early end: every round, every bin.
Signature slow_signature(const Elements& elements) {
  Signature values{};
  for (std::size_t bin = 0; bin < kValues; ++bin) {
    std::pair<std::size_t, std::uint64_t> smallest{SIZE_MAX, 0};
    for (std::size_t t = 0; t < 2 * kValues; ++t)
      for (const std::uint32_t element : elements) {
        const std::uint64_t hash = mix64(element ^ mix64(t + 1));
        const std::size_t drawn = t < kValues ? (hash >> 40) * kValues >> 24 : t - kValues;
        if (drawn == bin) smallest = std::min(smallest, {t, hash & 0xffffffffffULL});
      }
    values[bin] = static_cast<MinhashValue>(smallest.second);
  }
  return values;
}

TEST(Minhash, EqualsItsDefinitionForAnyNumberOfElements) {
  std::mt19937 random(1);
  for (std::size_t size : {1, 2, 3, 10, 60, 130, 500, 2000}) {
    const auto [elements, other] = pair_of_sets(random, size, 1, 0);
    EXPECT_EQ(signature_of(elements), slow_signature(elements)) << size << " elements";
  }
}

TEST(Minhash, RepetitionAndOrderChangeNothing) {
  std::mt19937 random(2);
  for (std::size_t size : {1, 7, 300}) {
    auto [elements, other] = pair_of_sets(random, size, 1, 0);
    const Signature once = signature_of(elements);
    Elements many;
    for (int i = 0; i < 5000; ++i) many.push_back(elements[random() % size]);
    many.insert(many.end(), elements.begin(), elements.end());
    std::shuffle(many.begin(), many.end(), random);
    EXPECT_EQ(signature_of(many), once) << size << " distinct elements";
  }
}

TEST(Minhash, EmptySetHasNoSignature) {
  MinhashScratch scratch;
  Signature values;
  values.fill(7);
  EXPECT_FALSE(minhash({}, scratch, values));
  EXPECT_EQ(values[0], 7);
}

struct Sizes {
  std::size_t a, b, shared;
};
void PrintTo(const Sizes& sizes, std::ostream* out) {
  *out << sizes.a << " and " << sizes.b << " elements, " << sizes.shared << " shared";
}
class MinhashAccuracy : public testing::TestWithParam<Sizes> {};

TEST_P(MinhashAccuracy, EstimateIsUnbiasedAndNoWorseThanPermutations) {
  const auto [size_a, size_b, shared] = GetParam();
  const double jaccard = static_cast<double>(shared) / static_cast<double>(size_a + size_b - shared);
  const double variance = jaccard * (1 - jaccard) / kValues;
  std::mt19937 random(3);
  constexpr int kTrials = 1500;
  double sum = 0, square = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto [a, b] = pair_of_sets(random, size_a, size_b, shared);
    const double error = estimated_jaccard(signature_of(a), signature_of(b)) - jaccard;
    sum += error;
    square += error * error;
  }
  EXPECT_NEAR(sum / kTrials, 0, 4 * std::sqrt(variance / kTrials) + 1.0 / 65536);
  // The sampling error of a variance over 1,500 trials is 3.7 %; four of these.
  EXPECT_LE(square / kTrials, variance * 1.15);
}

INSTANTIATE_TEST_SUITE_P(ShortMiddleLongAndUnequal, MinhashAccuracy,
                         testing::Values(Sizes{8, 8, 5}, Sizes{20, 20, 13}, Sizes{100, 100, 67},
                                         Sizes{500, 500, 200}, Sizes{2000, 2000, 1700}, Sizes{60, 600, 55},
                                         Sizes{450, 700, 400}));

TEST(Minhash, UnrelatedSetsHardlyAgree) {
  std::mt19937 random(4);
  double agreeing = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto [a, b] = pair_of_sets(random, 50, 70, 0);
    agreeing += estimated_jaccard(signature_of(a), signature_of(b)) * kValues;
  }
  // 64,000 pairs of values, each equal once in 65,536.
  EXPECT_LE(agreeing, 6);
}

TEST(Banding, CurveAtItsEnds) {
  const Banding banding{.bands = 42, .rows = 3};
  EXPECT_EQ(banding.values(), 126u);
  EXPECT_DOUBLE_EQ(banding.probability(0), 0);
  EXPECT_DOUBLE_EQ(banding.probability(1), 1);
  EXPECT_NEAR((Banding{.bands = 32, .rows = 4}.probability(.5)), .873, .001);
  EXPECT_NEAR((Banding{.bands = 16, .rows = 8}.probability(.8)), .947, .001);
}

TEST(Banding, DocumentsMeetAsOftenAsTheCurveSays) {
  const Banding banding{.bands = 42, .rows = 3};
  std::mt19937 random(5);
  constexpr int kTrials = 2000;
  int met = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto [a, b] = pair_of_sets(random, 800, 800, 400);  // J = 1/3
    const Signature x = signature_of(a), y = signature_of(b);
    for (std::size_t band = 0; band < banding.bands; ++band)
      if (std::equal(x.begin() + 3 * band, x.begin() + 3 * band + 3, y.begin() + 3 * band)) {
        ++met;
        break;
      }
  }
  const double expected = banding.probability(1.0 / 3);
  EXPECT_NEAR(static_cast<double>(met) / kTrials, expected,
              4 * std::sqrt(expected * (1 - expected) / kTrials));
}

}  // namespace
}  // namespace leitong
