// Parses the replies of a Redis server as their bytes arrive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

struct redisReader;

namespace leitong::online {

/// Untrusted: the user must check it.
struct RedisReply {
  enum class Kind : std::uint8_t { nothing, integer, text, list, error };
  Kind kind = Kind::nothing;
  std::int64_t integer = 0;
  std::string text;  ///< also the message of an error
  std::vector<RedisReply> list;
};

/// Splits bytes into replies (RESP2). Malformed bytes cause an error and take no more memory than a few times
/// the bytes.
class RedisReplyReader {
 public:
  RedisReplyReader();

  void feed(std::string_view bytes);
  /// The next reply, if it is complete. Fails with corrupt if it is no Redis reply; then all later calls
  /// fail.
  Result<std::optional<RedisReply>> next();

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept;
  };
  std::unique_ptr<redisReader, Free> reader_;
  std::size_t parts_ = 0;  // of the current reply
};

}  // namespace leitong::online
