// The places of postings on a Redis server: buckets by the first bits of their keys. The more texts an index
// has, the more buckets take new postings; old postings stay where they are. So no bucket gets long and
// nothing is ever moved. text_functions.cpp has the same rule on the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "online/text_keys.hpp"

namespace leitong::online {

/// The bytes of a key on the server.
inline constexpr std::size_t kRedisKeyBytes = kKeyBits / 8;
/// The bytes of a key that are stored in its bucket: its last bits, at every level.
inline constexpr std::size_t kRedisRestBytes = 4;
[[nodiscard]] constexpr std::uint32_t redis_rest_of(Key key) noexcept {
  return static_cast<std::uint32_t>(key);
}
inline void append_redis_key(Key key, std::string& bytes) {
  for (std::size_t i = kRedisKeyBytes; i-- > 0;) bytes += static_cast<char>(key >> (8 * i));
}

/// Levels of buckets: 2^18 in the first one, and four times as many in each next one.
class RedisLevels {
 public:
  static constexpr unsigned kMost = 7;
  /// The number of texts that are posted to the first level of a new index.
  static constexpr std::uint64_t kFirstTexts = std::uint64_t{1} << 20;

  /// The first level takes so many texts; each later level is used until the index has four times as many.
  explicit RedisLevels(std::uint64_t first_texts = kFirstTexts) noexcept : first_texts_(first_texts) {}

  /// The level to which the next text is posted. Earlier texts are in this level or lower ones.
  [[nodiscard]] unsigned level(std::uint64_t next_number) const noexcept {
    unsigned level = 0;
    for (std::uint64_t texts = first_texts_; level + 1 < kMost && next_number >= texts; texts *= 4) ++level;
    return level;
  }

  [[nodiscard]] static constexpr std::uint32_t bucket(Key key, unsigned level) noexcept {
    return static_cast<std::uint32_t>(key >> (kKeyBits - bits(level)));
  }
  [[nodiscard]] static constexpr unsigned bits(unsigned level) noexcept { return 18 + 2 * level; }
  /// The name of the bucket, after "p:".
  [[nodiscard]] static std::string name(Key key, unsigned level) {
    const unsigned rest = kKeyBits - bits(level);
    std::string bytes;
    append_redis_key(key >> rest << rest, bytes);
    bytes.resize((bits(level) + 7) / 8);
    return std::to_string(level).append(bytes);
  }

 private:
  std::uint64_t first_texts_;
};

}  // namespace leitong::online
