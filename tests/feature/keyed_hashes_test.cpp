#include "feature/keyed_hashes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"
#include "feature/kernels.hpp"

namespace leitong {
namespace {

constexpr SipKey kKey = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

struct Shingles {
  explicit Shingles(std::size_t count) : units(count + 40), places(count) {
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
  const Shingles shingles(100);
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
        const Shingles shingles(count);
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
