// Where postings lie on a Redis server: in buckets by the first bits of their keys. The more texts an index
// has, the more buckets take what is posted from then on; what was posted before stays where it is. So no
// bucket gets long, however large the index becomes, and nothing is ever moved. text_functions.cpp has the
// same on the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "online/text_keys.hpp"

namespace leitong::online {

/// A key as the server has it.
inline constexpr std::size_t kRedisKeyBytes = kKeyBits / 8;
/// What stands of it in its bucket: the last bits, whatever the level.
inline constexpr std::size_t kRedisRestBytes = 4;
[[nodiscard]] constexpr std::uint32_t redis_rest_of(Key key) noexcept {
  return static_cast<std::uint32_t>(key);
}
void append_redis_key(Key key, std::string& bytes);

/// Levels of buckets: four times as many in each as in the one before it, 2^18 in the first one.
class RedisLevels {
 public:
  static constexpr unsigned kMost = 7;
  /// Texts that are posted to the first level of an index that is made.
  static constexpr std::uint64_t kFirstTexts = std::uint64_t{1} << 20;

  /// The first level is that of so many texts, each later one that of all up to four times as many.
  explicit RedisLevels(std::uint64_t first_texts = kFirstTexts) noexcept : first_texts_(first_texts) {}

  /// Where a text is posted that comes when the next number is this one. What was posted before is in this
  /// level and in all below.
  [[nodiscard]] unsigned level(std::uint64_t next_number) const noexcept;

  /// The number of a key's bucket.
  [[nodiscard]] static constexpr std::uint32_t bucket(Key key, unsigned level) noexcept {
    return static_cast<std::uint32_t>(key >> (kKeyBits - bits(level)));
  }
  [[nodiscard]] static constexpr unsigned bits(unsigned level) noexcept { return 18 + 2 * level; }
  /// What names the bucket, behind "p:".
  [[nodiscard]] static std::string name(Key key, unsigned level);

 private:
  std::uint64_t first_texts_;
};

}  // namespace leitong::online
