#include "leitong/bloom.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "test_places.hpp"

namespace leitong {
namespace {

/// The number of 200,000 keys that were never inserted but are found.
template <class Filter>
double false_positives(const Filter& filter) {
  int found = 0;
  for (std::uint64_t key = 0; key < 200'000; ++key) found += filter.contains(key + (1ull << 40)) ? 1 : 0;
  return found / 200'000.0;
}

TEST(Bloom, FindsAllThatWasInsertedAndLittleElse) {
  auto filter = BloomFilter::create(50'000, 12);
  ASSERT_TRUE(filter.has_value());
  for (std::uint64_t key = 0; key < 50'000; ++key) filter->insert(key);
  for (std::uint64_t key = 0; key < 50'000; ++key) ASSERT_TRUE(filter->contains(key));
  EXPECT_NEAR(static_cast<double>(filter->bytes()), 50'000 * 12 / 8, 64);
  EXPECT_LT(false_positives(*filter), .009);
  EXPECT_GT(false_positives(*filter), .002) << "or the test of it is wrong";
}

TEST(Bloom, InsertTellsWhetherTheKeyWasThere) {
  auto filter = BloomFilter::create(1000, 32);
  EXPECT_FALSE(filter->insert(7));
  EXPECT_TRUE(filter->insert(7));
}

TEST(CountingBloom, TakingOutAllLeavesNothing) {
  auto filter = CountingBloomFilter::create(20'000, 12);
  ASSERT_TRUE(filter.has_value());
  for (std::uint64_t key = 0; key < 20'000; ++key) filter->insert(key);
  EXPECT_LT(false_positives(*filter), .012);
  EXPECT_EQ(filter->saturated(), 0u);
  for (std::uint64_t key = 0; key < 20'000; ++key) ASSERT_TRUE(filter->erase(key));
  EXPECT_EQ(false_positives(*filter), 0);
  EXPECT_FALSE(filter->erase(3)) << "it isn't there any more";
}

TEST(CountingBloom, AgreesWithAMapThatNeverForgets) {
  auto filter = CountingBloomFilter::create(2'000, 16);
  std::unordered_map<std::uint64_t, unsigned> held;
  std::mt19937_64 random(1);
  for (int step = 0; step < 50'000; ++step) {
    const std::uint64_t key = random() % 3000;
    unsigned& count = held[key];
    if (random() % 2 == 0 && count < 10) {
      filter->insert(key);
      ++count;
    } else if (count > 0) {
      ASSERT_TRUE(filter->erase(key));
      --count;
    }
    if (count > 0) {
      ASSERT_GE(filter->count(key), std::min(count, 15u));
    }
  }
}

TEST(CountingBloom, AFullCounterIsNeverTakenFrom) {
  auto filter = CountingBloomFilter::create(100, 16);
  for (int i = 0; i < 40; ++i) filter->insert(5);
  EXPECT_EQ(filter->count(5), 15u);
  EXPECT_EQ(filter->saturated(), 8u);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(filter->erase(5));
  EXPECT_TRUE(filter->contains(5)) << "how often it was inserted isn't known any more";
}

TEST(CountingBloom, SavedAndLoadedItIsTheSameAndDamageIsDetected) {
  auto filter = CountingBloomFilter::create(3000);
  for (std::uint64_t key = 0; key < 3000; ++key) filter->insert(key * key);
  std::string bytes;
  ASSERT_TRUE(filter->save([&](std::string_view part) -> Result<void> {
    bytes += part;
    return {};
  }));
  const auto path = std::filesystem::temp_directory_path() / ("leitong_bloom_" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  const auto loaded = CountingBloomFilter::load(path);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  for (std::uint64_t key = 0; key < 6000; ++key) ASSERT_EQ(loaded->count(key * 7), filter->count(key * 7));
  EXPECT_FALSE(BloomFilter::load(path).has_value()) << "it is of the other kind";
  bytes[bytes.size() / 3] ^= 4;
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  const auto damaged = CountingBloomFilter::load(path);
  ASSERT_FALSE(damaged.has_value());
  EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
  std::filesystem::remove(path);
}

TEST(Bloom, InvalidSizesAreRefused) {
  EXPECT_FALSE(BloomFilter::create(1000, 1).has_value());
  EXPECT_FALSE(CountingBloomFilter::create(1000, 1e9).has_value());
  EXPECT_EQ(BloomFilter::create(1ull << 60, 64).error().code, ErrorCode::limit);
}

/// The golden files' filters: 40 keys, of which key k was counted k % 5 + 1 times.
std::uint64_t golden_key(std::uint64_t k) { return k * k * 2654435761u + 7; }

template <class Filter>
std::string saved(const Filter& filter) {
  std::string bytes;
  EXPECT_TRUE(filter.save([&](std::string_view part) -> Result<void> {
    bytes += part;
    return {};
  }));
  return bytes;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// docs/format.md describes these bytes. If they have to change, the version must change, and these files must
// stay.
TEST(Bloom, Version1IsWrittenAndReadAsItAlwaysWas) {
  const std::filesystem::path golden = LEITONG_SOURCE_DIR "/tests/index/golden/bloom-v1.bloom";
  auto filter = BloomFilter::create(40, 12);
  for (std::uint64_t k = 0; k < 40; ++k) filter->insert(golden_key(k));
  EXPECT_TRUE(saved(*filter) == bytes_of(golden));
  const auto loaded = BloomFilter::load(golden);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (std::uint64_t k = 0; k < 40; ++k) EXPECT_TRUE(loaded->contains(golden_key(k)));
}

TEST(CountingBloom, Version1IsWrittenAndReadAsItAlwaysWas) {
  const std::filesystem::path golden = LEITONG_SOURCE_DIR "/tests/index/golden/counting-bloom-v1.bloom";
  auto filter = CountingBloomFilter::create(40, 12);
  for (std::uint64_t k = 0; k < 40; ++k)
    for (std::uint64_t i = 0; i <= k % 5; ++i) filter->insert(golden_key(k));
  EXPECT_TRUE(saved(*filter) == bytes_of(golden));
  const auto loaded = CountingBloomFilter::load(golden);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (std::uint64_t k = 0; k < 40; ++k) EXPECT_GE(loaded->count(golden_key(k)), k % 5 + 1);
}

}  // namespace
}  // namespace leitong
