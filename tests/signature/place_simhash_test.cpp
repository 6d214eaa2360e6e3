// E-Simhash and P-Simhash, as published and corrected.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "base/hash.hpp"
#include "feature/term_model.hpp"
#include "signature/e_simhash.hpp"
#include "signature/p_simhash.hpp"
#include "signature/simhash.hpp"

namespace leitong {
namespace {

TEST(ESimhash, EntropyByHand) {
  EXPECT_DOUBLE_EQ(neighbour_entropy(std::vector<std::uint64_t>{4}), 0);
  EXPECT_DOUBLE_EQ(neighbour_entropy(std::vector<std::uint64_t>{1, 1, 1, 1}), 2);
  EXPECT_DOUBLE_EQ(neighbour_entropy(std::vector<std::uint64_t>{2, 1, 1, 0}), 1.5);
  EXPECT_DOUBLE_EQ(neighbour_entropy({}), 0);
}

TEST(ESimhash, WeightsByHand) {
  EXPECT_FLOAT_EQ(entropy_weight(3, 1, 3, EntropyBlend::product, 0), 6);
  EXPECT_FLOAT_EQ(entropy_weight(3, 1, 3, EntropyBlend::mean, 0), 2.5);
  EXPECT_FLOAT_EQ(entropy_weight(3, 1, 7, EntropyBlend::root_square, 0), std::sqrt((9 + 16) / 2.f));
  EXPECT_FLOAT_EQ(entropy_weight(3, 1, 3, EntropyBlend::product, 4), 4) << "capped";
}

TEST(ESimhash, LiteralXorsThePlaceIntoTheHash) {
  // 1100 ^ 0 = 1100 and 1100 ^ 3 = 1111, both of weight 2; 0110 ^ 1 = 0111 of weight 3.
  const std::vector<std::uint32_t> first = {0, 3}, second = {1};
  const std::vector<PlacedFeature> features = {{0b1100, 2, first}, {0b0110, 3, second}};
  // Bit 3: 2 + 2 - 3, bit 2: all, bits 1 and 0: -2 + 2 + 3.
  EXPECT_EQ(*e_simhash_literal(features) & 0xf, 0b1111u);
  EXPECT_EQ(e_simhash_literal({}), std::nullopt);
}

TEST(ESimhash, OnlyTheCorrectedOneFeelsPlacesInHighBits) {
  std::mt19937_64 random(1);
  std::uint64_t literal = 0, corrected = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<std::uint32_t>> places(20);
    std::vector<PlacedFeature> features, moved;
    for (std::uint32_t i = 0; i < 20; ++i) places[i] = {i};
    for (std::uint32_t i = 0; i < 20; ++i) {
      features.push_back({random(), 1.f + static_cast<float>(i % 5), places[i]});
      moved.push_back({features[i].hash, features[i].weight, places[19 - i]});
    }
    literal |= *e_simhash_literal(features) ^ *e_simhash_literal(moved);
    corrected |= *e_simhash(features, 20) ^ *e_simhash(moved, 20);
  }
  EXPECT_LT(literal, 32u) << "places below 20 reach five bits";
  EXPECT_EQ(corrected, UINT64_MAX);
}

struct Document {
  std::uint32_t length = 0;
  std::vector<std::uint64_t> hashes;
  std::vector<float> weights;
  std::vector<std::vector<std::uint32_t>> places;

  [[nodiscard]] std::vector<PlacedFeature> features() const {
    std::vector<PlacedFeature> list;
    for (std::size_t i = 0; i < hashes.size(); ++i) list.push_back({hashes[i], weights[i], places[i]});
    return list;
  }
};

/// 500 words, of which 20 have a high weight, as in a news article.
Document article(std::mt19937_64& random) {
  Document document{500, {}, {}, {}};
  for (int i = 0; i < 20; ++i) {
    const double weight = std::exp(-i / 10.0);
    document.hashes.push_back(random());
    document.weights.push_back(static_cast<float>(weight));
    auto& places = document.places.emplace_back();
    for (int k = 0; k < std::max(2, static_cast<int>(14 * weight)); ++k)
      places.push_back(static_cast<std::uint32_t>(random() % document.length));
    std::sort(places.begin(), places.end());
  }
  return document;
}

int distance(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  return std::popcount(*a ^ *b);
}

TEST(PSimhash, LiteralPlaceSignatureMarksTheBinsAboveTheMean) {
  EXPECT_EQ(std::popcount(place_signature_literal(std::vector<std::uint32_t>{7})), 1);
  std::vector<std::uint32_t> twice = {7, 7};
  EXPECT_EQ(place_signature_literal(twice), place_signature_literal(std::vector<std::uint32_t>{7}));
  std::vector<std::uint32_t> many;
  for (std::uint32_t i = 0; i < 6400; ++i) many.push_back(i);
  EXPECT_NEAR(std::popcount(place_signature_literal(many)), 32, 14) << "about half of the bins";
}

TEST(PSimhash, BlendByHand) {
  // One feature: mu * s + (1 - mu) * s' keeps the sign of s while mu > 1/2.
  const std::vector<std::uint32_t> places = {0};
  const std::vector<PlacedFeature> one = {{0x00ff00ff00ff00ffULL, 2, places}};
  EXPECT_EQ(p_simhash(one, 10, 1.5), one[0].hash);
  // Below 1/2 the place signature decides where they differ.
  EXPECT_EQ(p_simhash_literal(one, .25), place_signature_literal(places));
  EXPECT_EQ(p_simhash(one, 10, .25), place_signature(one[0].hash, places, 10));
  EXPECT_EQ(p_simhash({}, 10), std::nullopt);
}

TEST(PlaceSimhash, TiesAreZerosIfRequested) {
  // Two words of equal weight that agree in no bit: every sum is 0.
  const std::vector<std::uint32_t> places = {0};
  const std::vector<PlacedFeature> opposites = {{0x00ff00ff00ff00ffULL, 2, places},
                                                {0xff00ff00ff00ff00ULL, 2, places}};
  EXPECT_EQ(e_simhash(opposites, 10, Ties::zero), 0u);
  EXPECT_EQ(e_simhash(opposites, 10), kSimhashTieMask);
  EXPECT_EQ(e_simhash_literal(opposites, Ties::zero), 0u);
  EXPECT_EQ(e_simhash_literal(opposites), kSimhashTieMask);
  for (const Simd level : {Simd::scalar, std::min(Simd::avx512, simd_level())}) {
    EXPECT_EQ(p_simhash(opposites, 10, 1, level, Ties::zero), 0u);
    EXPECT_EQ(p_simhash(opposites, 10, 1, level), kSimhashTieMask);
  }
  EXPECT_EQ(p_simhash_literal(opposites, 1, Ties::zero), 0u);
  EXPECT_EQ(p_simhash_literal(opposites, 1), kSimhashTieMask);
}

TEST(PSimhash, MuOfOneIsPlainSimhash) {
  std::mt19937_64 random(2);
  const Document document = article(random);
  std::vector<Feature> plain;
  for (std::size_t i = 0; i < 20; ++i) plain.push_back({document.hashes[i], document.weights[i]});
  EXPECT_EQ(p_simhash(document.features(), 500, 1), simhash(plain));
  EXPECT_EQ(p_simhash_literal(document.features(), 1), simhash(plain));
}

/// By the definition: each occurrence is divided between the two nearest stretches.
std::uint64_t slow_place_signature(std::uint64_t hash, const std::vector<std::uint32_t>& places,
                                   std::uint32_t length) {
  std::array<double, 8> share{};
  for (const std::uint32_t place : places) {
    const double at = (place + .5) * 8 / length - .5, left = std::floor(at);
    share[static_cast<std::size_t>(std::max(0., left))] += 1 - (at - left);
    share[static_cast<std::size_t>(std::min(7., left + 1))] += at - left;
  }
  std::array<double, 64> sums{};
  for (std::size_t i = 0; i < 8; ++i)
    for (unsigned bit = 0; bit < 64; ++bit)
      sums[bit] += (mix64(hash ^ mix64(i + 1)) >> bit & 1) != 0 ? double{static_cast<float>(share[i])}
                                                                : -double{static_cast<float>(share[i])};
  return simhash_signs(sums);
}

TEST(PSimhash, PlaceSignatureIsThatOfTheStretches) {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto length = static_cast<std::uint32_t>(1 + random() % (trial % 2 == 0 ? 40 : 2000));
    std::vector<std::uint32_t> places(1 + random() % 4 * (trial % 3));
    for (auto& place : places) place = static_cast<std::uint32_t>(random() % length);
    const std::uint64_t hash = random();
    ASSERT_EQ(place_signature(hash, places, length), slow_place_signature(hash, places, length))
        << ::testing::PrintToString(places) << " of " << length;
  }
}

TEST(PSimhash, EveryKernelSumsAsTheFormulaSays) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    Document document = article(random);
    document.hashes.resize(random() % 20);
    document.weights.resize(document.hashes.size());
    for (float& weight : document.weights)  // some of them cancel each other out
      weight = trial % 2 == 0 ? static_cast<float>(random() % 3) : weight;
    const double mu = static_cast<double>(random() % 30) / 10;
    std::array<double, 64> sums{};
    bool any = false;
    for (std::size_t i = 0; i < document.hashes.size(); ++i) {
      const std::uint64_t places = place_signature(document.hashes[i], document.places[i], 500);
      any = any || document.weights[i] > 0;
      for (unsigned bit = 0; bit < 64; ++bit) {
        const bool one = document.hashes[i] >> bit & 1, agrees = (places >> bit & 1) == one;
        const double weight = (agrees ? 1 : 2 * mu - 1) * document.weights[i];
        sums[bit] += one ? weight : -weight;
      }
    }
    const std::optional<std::uint64_t> expected = any ? std::optional(simhash_signs(sums)) : std::nullopt;
    for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
      if (level > simd_level()) continue;
      ASSERT_EQ(p_simhash(document.features(), 500, mu, level), expected) << simd_name(level);
    }
  }
}

TEST(PSimhash, LiteralIgnoresASwapOfTwoWordsOfEqualWeightAndTheCorrectedOneFeelsIt) {
  std::mt19937_64 random(3);
  double moved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Document document = article(random), swapped = document;
    document.weights[1] = swapped.weights[1] = document.weights[0];
    std::swap(swapped.places[0], swapped.places[1]);
    EXPECT_EQ(p_simhash_literal(document.features()), p_simhash_literal(swapped.features()));
    moved += distance(p_simhash(document.features(), 500), p_simhash(swapped.features(), 500));
  }
  EXPECT_GT(moved / 200, 1);
}

// The result of the design's simulation for 500 words at mu = 1.5.
TEST(PSimhash, CorrectedOneIsFairAndSteady) {
  std::mt19937_64 random(4);
  constexpr int kTrials = 400;
  double unrelated = 0, prepended = 0, halves = 0, ones = 0, literal_ones = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Document document = article(random), other = article(random);
    const auto fingerprint = p_simhash(document.features(), 500);
    ones += std::popcount(*fingerprint);
    literal_ones += std::popcount(*p_simhash_literal(document.features()));
    unrelated += distance(fingerprint, p_simhash(other.features(), 500));
    Document longer = document, turned = document;
    longer.length += 1;
    for (auto& places : longer.places)
      for (auto& place : places) ++place;
    for (auto& places : turned.places)
      for (auto& place : places) place = (place + 250) % 500;
    prepended += distance(fingerprint, p_simhash(longer.features(), 501));
    halves += distance(fingerprint, p_simhash(turned.features(), 500));
  }
  EXPECT_NEAR(unrelated / kTrials, 32, 1);
  EXPECT_NEAR(ones / kTrials, 32, 1);
  EXPECT_GT(literal_ones / kTrials, 34) << "the published one is biased";
  EXPECT_LT(prepended / kTrials, 1);
  EXPECT_NEAR(halves / kTrials, 7, 2);
}

}  // namespace
}  // namespace leitong
