// Buckets of postings on a Redis server: which belong to a key, and how many there are.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "online/redis/buckets.hpp"

namespace leitong::online {
namespace {

TEST(RedisLevels, FollowEachOtherAtFourTimesAsManyTexts) {
  const RedisLevels levels(100);
  for (const auto& [next, level] :
       {std::pair(0u, 0u), {99u, 0u}, {100u, 1u}, {399u, 1u}, {400u, 2u}, {1600u, 3u}})
    EXPECT_EQ(levels.level(next), level) << next;
  EXPECT_EQ(levels.level(UINT32_MAX), RedisLevels::kMost - 1);
  EXPECT_EQ(RedisLevels().level(RedisLevels::kFirstTexts - 1), 0u);
  EXPECT_EQ(RedisLevels().level(std::uint64_t{1} << 32), 6u);
}

TEST(RedisLevels, NamesDistinguishAllBucketsAndNoOthers) {
  for (unsigned level = 0; level < RedisLevels::kMost; ++level) {
    const unsigned bits = RedisLevels::bits(level);
    std::set<std::string> names;
    const Key step = Key{1} << (kKeyBits - bits);
    for (Key i = 0; i < 1000; ++i) {
      const Key key = (i * 0x9E3779B97F4A7C15) >> (64 - kKeyBits);
      const std::string name = RedisLevels::name(key, level);
      names.insert(name);
      EXPECT_EQ(name, RedisLevels::name(key / step * step, level));
      EXPECT_EQ(name, RedisLevels::name(key / step * step + step - 1, level));
      if (key >= step) {
        EXPECT_NE(name, RedisLevels::name(key - step, level));
      }
      // The bits of a key that its bucket does not determine are in its postings.
      EXPECT_GE(bits + 8 * kRedisRestBytes, kKeyBits);
    }
    EXPECT_GT(names.size(), 990u);
  }
  EXPECT_EQ(RedisLevels::name(0x123456789ABC, 0), std::string("0\x12\x34\x40"));
  EXPECT_EQ(RedisLevels::name(0x123456789ABC, 3), std::string("3\x12\x34\x56"));
  EXPECT_EQ(RedisLevels::name(0x123456789ABC, 6), std::string("6\x12\x34\x56\x78"));
}

}  // namespace
}  // namespace leitong::online
