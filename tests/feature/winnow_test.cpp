#include "feature/winnow.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace leitong {
namespace {

std::vector<Unit> random_units(std::mt19937& random, std::size_t count, std::uint32_t alphabet) {
  std::vector<Unit> units(count);
  for (Unit& unit : units) unit = 0x4E00 + random() % alphabet;
  return units;
}

std::vector<std::uint64_t> keys_of(std::span<const Unit> units, std::size_t k, std::size_t window,
                                   Simd level = simd_level()) {
  WinnowScratch scratch;
  PodVector<std::uint64_t> keys;
  winnow(units, k, window, scratch, keys, level);
  return {keys.begin(), keys.end()};
}

std::uint64_t only_key(std::span<const Unit> units) {
  return keys_of(units, units.size(), 1, Simd::scalar).at(0);
}

/// A slow reference implementation: every window separately.
std::vector<std::uint64_t> twin_keys_of(std::span<const Unit> units, std::size_t k, std::size_t window) {
  std::vector<std::uint32_t> selection;
  for (std::size_t i = 0; i + k <= units.size(); ++i) {
    std::uint32_t hash = 0;
    for (std::size_t j = 0; j < k; ++j) hash = hash * 0x9E3779B1u + units[i + j];
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    selection.push_back(hash ^ hash >> 16);
  }
  std::vector<std::uint64_t> keys;
  if (selection.empty()) return keys;
  window = std::min(window, selection.size());
  for (std::size_t i = 0; i + window <= selection.size(); ++i) {
    const auto begin = selection.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(window);
    const std::uint32_t smallest = *std::min_element(begin, end);
    if (i > 0 && *std::min_element(begin - 1, end - 1) == smallest) continue;
    std::size_t place = i + window;
    while (selection[--place] != smallest) {
    }
    keys.push_back(only_key(units.subspan(place, k)));
  }
  return keys;
}

TEST(WinnowTest, EveryKernelAgreesWithTheSlowTwin) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const auto units = random_units(random, random() % 500, round % 2 ? 3 : 6000);
    const std::size_t k = 1 + random() % 20;
    const std::size_t window = std::size_t{1} << random() % 9;
    const auto expected = twin_keys_of(units, k, window);
    for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
      if (level <= simd_level()) {
        ASSERT_EQ(keys_of(units, k, window, level), expected) << k << ' ' << window;
      }
  }
}

TEST(WinnowTest, BlocksLeaveNoTrace) {
  std::mt19937 random(2);
  for (const std::size_t n : {2047u, 2048u, 2049u, 2059u, 4096u, 4107u, 9000u})
    for (const std::size_t window : {1u, 4u, 16u, 256u}) {
      for (const std::uint32_t alphabet : {2u, 6000u}) {
        const auto units = random_units(random, n, alphabet);
        for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
          if (level <= simd_level()) {
            ASSERT_EQ(keys_of(units, 12, window, level), twin_keys_of(units, 12, window)) << n;
          }
      }
    }
}

TEST(WinnowTest, ASharedRunGivesACommonKey) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t k = 1 + random() % 16;
    const std::size_t window_a = std::size_t{1} << random() % 7;
    const std::size_t window_b = std::size_t{1} << random() % 7;
    const std::uint32_t alphabet = round % 2 ? 3 : 6000;
    const auto run = random_units(random, k + std::max(window_a, window_b) - 1, alphabet);
    const auto around = [&] {
      auto text = random_units(random, random() % 100, alphabet);
      text.insert(text.end(), run.begin(), run.end());
      const auto tail = random_units(random, random() % 100, alphabet);
      text.insert(text.end(), tail.begin(), tail.end());
      return text;
    };
    const auto a = keys_of(around(), k, window_a);
    const auto b = keys_of(around(), k, window_b);
    const std::set<std::uint64_t> keys(a.begin(), a.end());
    ASSERT_TRUE(std::any_of(b.begin(), b.end(), [&](std::uint64_t key) { return keys.contains(key); }))
        << round;
  }
}

TEST(WinnowTest, WhatAWideWindowChoosesANarrowOneChoosesToo) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const auto units = random_units(random, 1500, round % 2 ? 3 : 6000);
    auto narrow = keys_of(units, 12, 16);
    std::sort(narrow.begin(), narrow.end());
    for (const std::size_t window : {32u, 64u, 256u})
      for (const std::uint64_t key : keys_of(units, 12, window))
        ASSERT_TRUE(std::binary_search(narrow.begin(), narrow.end(), key));
  }
}

TEST(WinnowTest, ShortTextsHaveOneKeyOrNone) {
  std::mt19937 random(5);
  const auto units = random_units(random, 27, 6000);
  EXPECT_TRUE(keys_of({}, 12, 16).empty());
  EXPECT_TRUE(keys_of(std::span(units).first(11), 12, 16).empty());
  for (std::size_t n = 12; n <= 27; ++n)
    EXPECT_EQ(keys_of(std::span(units).first(n), 12, 16).size(), 1u) << n;
}

TEST(WinnowTest, OneRepeatedUnitGivesOneKey) {
  const std::vector<Unit> units(100'000, 0x96F7);
  EXPECT_EQ(keys_of(units, 12, 16), std::vector<std::uint64_t>{only_key(std::span(units).first(12))});
}

TEST(WinnowTest, KeysAreAppended) {
  const std::vector<Unit> units(20, 0x96F7);
  WinnowScratch scratch;
  PodVector<std::uint64_t> keys;
  keys.push_back(7);
  winnow(units, 6, 4, scratch, keys);
  EXPECT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0], 7u);
}

}  // namespace
}  // namespace leitong
