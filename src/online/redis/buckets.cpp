#include "online/redis/buckets.hpp"

namespace leitong::online {

void append_redis_key(Key key, std::string& bytes) {
  for (std::size_t i = kRedisKeyBytes; i-- > 0;) bytes += static_cast<char>(key >> (8 * i));
}

unsigned RedisLevels::level(std::uint64_t next_number) const noexcept {
  unsigned level = 0;
  for (std::uint64_t texts = first_texts_; level + 1 < kMost && next_number >= texts; texts *= 4) ++level;
  return level;
}

std::string RedisLevels::name(Key key, unsigned level) {
  const unsigned rest = kKeyBits - bits(level);
  std::string bytes;
  append_redis_key(key >> rest << rest, bytes);
  bytes.resize((bits(level) + 7) / 8);
  return std::to_string(level).append(bytes);
}

}  // namespace leitong::online
