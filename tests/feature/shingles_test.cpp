#include "feature/shingles.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string_view>
#include <vector>

#include "feature/kernels.hpp"

namespace leitong {
namespace {

std::vector<Unit> random_units(std::mt19937& random, std::size_t count, std::uint32_t alphabet) {
  std::vector<Unit> units(count);
  for (Unit& unit : units) unit = random() % 3 == 0 ? random() | 0x80000000u : 0x4E00 + random() % alphabet;
  return units;
}

std::vector<std::uint32_t> hashes_of(std::span<const Unit> units, Simd level) {
  PodVector<std::uint32_t> hashes;
  shingle_hashes(units, hashes, level);
  return {hashes.begin(), hashes.end()};
}

std::vector<std::uint32_t> set_of(std::span<const Unit> units, Simd level = simd_level()) {
  PodVector<std::uint32_t> set;
  PodVector<std::uint32_t> scratch;
  shingle_set(units, set, scratch, level);
  return {set.begin(), set.end()};
}

TEST(ShinglesTest, EveryFiveUnitsGiveOneHash) {
  std::mt19937 random(1);
  const std::vector<Unit> units = random_units(random, 100, 5000);
  const auto hashes = hashes_of(units, Simd::scalar);
  ASSERT_EQ(hashes.size(), 96u);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    EXPECT_EQ(hashes[i], hashes_of(std::span(units).subspan(i, 5), Simd::scalar)[0]);
}

TEST(ShinglesTest, AShortTextIsItsOwnShingle) {
  const std::vector<Unit> units = {0x96F7, 0x540C, 0x96F7, 0x540C};
  std::set<std::uint32_t> seen;
  for (std::size_t n = 1; n <= 4; ++n) {
    const auto hashes = hashes_of(std::span(units).first(n), Simd::scalar);
    ASSERT_EQ(hashes.size(), 1u);
    seen.insert(hashes[0]);
  }
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_TRUE(hashes_of({}, Simd::scalar).empty());
  EXPECT_TRUE(set_of({}).empty());
}

TEST(ShinglesTest, EveryKernelGivesTheSameHashes) {
  std::mt19937 random(2);
  for (std::size_t n = 0; n < 200; ++n) {
    const auto units = random_units(random, n, 20000);
    const auto expected = hashes_of(units, Simd::scalar);
    for (const Simd level : {Simd::avx2, Simd::avx512})
      if (level <= simd_level()) {
        ASSERT_EQ(hashes_of(units, level), expected) << n;
      }
  }
}

void expect_set(std::span<const Unit> units) {
  const auto hashes = hashes_of(units, Simd::scalar);
  const std::set<std::uint32_t> distinct(hashes.begin(), hashes.end());
  const std::vector<std::uint32_t> expected(distinct.begin(), distinct.end());
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level <= simd_level()) {
      ASSERT_TRUE(set_of(units, level) == expected) << simd_name(level) << ' ' << units.size();
    }
  }
}

TEST(ShinglesTest, TheSetIsSortedAndDistinct) {
  std::mt19937 random(3);
  for (std::size_t n = 0; n < 150; ++n) expect_set(random_units(random, n, 20000));
  for (const std::size_t n : {255u, 1000u, 5000u, 32770u, 32780u, 70000u, 250000u})
    expect_set(random_units(random, n, 20000));
}

TEST(ShinglesTest, TheSetOfARepetitiveTextIsSortedAndDistinct) {
  std::mt19937 random(4);
  for (const std::size_t period : {1u, 2u, 7u, 40u, 1000u, 20000u})
    for (const std::size_t n : {10u, 100u, 3000u, 30000u, 100000u}) {
      auto units = random_units(random, n, 20000);
      for (std::size_t i = period; i < n; ++i) units[i] = units[i - period];
      expect_set(units);
      for (std::size_t i = n / 2; i < n; ++i) units[i] = 0x4E00 + random() % 3;
      expect_set(units);
    }
}

constexpr SipKey kKey = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

struct RandomShingles {
  explicit RandomShingles(std::size_t count) : units(count + 40), places(count) {
    std::mt19937 random(static_cast<unsigned>(count));
    for (Unit& unit : units) unit = random();
    for (std::uint32_t& place : places) place = random() % (count + 20);
  }
  [[nodiscard]] std::string_view bytes(std::size_t i, std::size_t k) const {
    return {reinterpret_cast<const char*>(&units[places[i]]), k * sizeof(Unit)};
  }
  std::vector<Unit> units;
  std::vector<std::uint32_t> places;
};

TEST(KeyedHashes, AreSipHashesOfTheBytes) {
  const RandomShingles shingles(100);
  PodVector<std::uint64_t> hashes;
  keyed_hashes(kKey, shingles.units, 6, shingles.places, hashes);
  ASSERT_EQ(hashes.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(hashes[i], siphash(kKey, shingles.bytes(i, 6)));
}

TEST(KeyedHashes, AreTheSameForEveryInstructionSet) {
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512}) {
    if (level > simd_level()) continue;
    for (std::size_t count = 0; count < 40; ++count)
      for (const std::size_t k : {2u, 6u, 12u, 20u}) {
        const RandomShingles shingles(count);
        std::vector<std::uint64_t> hashes(count + 1, 7);
        feature_kernels(level).keyed(shingles.units.data(), shingles.places.data(), count, k, kKey.low,
                                     kKey.high, hashes.data());
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(hashes[i], siphash(kKey, shingles.bytes(i, k)));
        EXPECT_EQ(hashes[count], 7u);
      }
  }
}

}  // namespace
}  // namespace leitong
