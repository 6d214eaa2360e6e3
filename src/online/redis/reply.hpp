// What a Redis server answers, as its bytes come.
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

/// Nothing of it is to be believed before it is looked at.
struct RedisReply {
  enum class Kind : std::uint8_t { nothing, integer, text, list, error };
  Kind kind = Kind::nothing;
  std::int64_t integer = 0;
  std::string text;  ///< what an error says, too
  std::vector<RedisReply> list;
};

/// Cuts bytes into replies (RESP2). What isn't Redis's costs an error, and no more memory than some times the
/// bytes that came.
class RedisReplyReader {
 public:
  RedisReplyReader();

  void feed(std::string_view bytes);
  /// The next reply, if all of it came. Fails with corrupt for what no Redis says; then for good.
  Result<std::optional<RedisReply>> next();

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept;
  };
  std::unique_ptr<redisReader, Free> reader_;
  std::size_t parts_ = 0;  // of the reply on its way
};

}  // namespace leitong::online
