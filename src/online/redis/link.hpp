// Connections to a Redis server, or to the master of a Cluster that has the keys of an index. What fails is
// tried again, a bounded number of times and ever more slowly; a server that never answers is left alone for
// a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/redis/address.hpp"

struct redisContext;

namespace leitong::online {

/// What a server answers. Nothing of it is to be believed before it is looked at.
struct RedisReply {
  enum class Kind : std::uint8_t { nothing, integer, text, list };
  Kind kind = Kind::nothing;
  std::int64_t integer = 0;
  std::string text;
  std::vector<RedisReply> list;
};

using RedisCommand = std::vector<std::string>;

/// Any number of threads may ask at once, each on a connection of its own.
class RedisLink {
 public:
  RedisLink(RedisAddress address, const Remote& settings, StopToken stop);
  ~RedisLink();
  RedisLink(const RedisLink&) = delete;
  RedisLink& operator=(const RedisLink&) = delete;

  /// A call of one of the functions on the index's keys.
  [[nodiscard]] RedisCommand function(std::string_view name, bool reads_only) const;

  /// The replies to some commands, which are sent together. If the connection is lost all of them are sent
  /// again: REQUIRES that doing them twice is as good as once. Fails with io where nobody answers, where
  /// the server refuses, and at once where it didn't answer lately; with corrupt for answers that aren't
  /// Redis's; with cancelled.
  Result<std::vector<RedisReply>> ask(const std::vector<RedisCommand>& commands);

  /// "redis://host:port/name: gave an answer that isn't understood: .."
  [[nodiscard]] tl::unexpected<Error> not_understood(std::string_view what) const;
  [[nodiscard]] const RedisAddress& address() const noexcept { return address_; }

 private:
  struct Close {
    void operator()(redisContext* context) const noexcept;
  };
  using Connection = std::unique_ptr<redisContext, Close>;
  using Clock = std::chrono::steady_clock;
  /// What became of one attempt.
  struct Attempt {
    std::vector<RedisReply> replies;
    bool done = false;
    std::optional<Error> error;  ///< for good
    std::string trouble;         ///< that may pass
    bool wait = true;            ///< before the next attempt
  };

  Result<Connection> connect();
  Attempt attempt(const std::vector<RedisCommand>& commands);
  void judge(std::string_view said, const redisContext& context, Attempt& attempt);
  void load_functions(Attempt& attempt);
  Result<void> wait(std::chrono::milliseconds time) const;

  const RedisAddress address_;
  const Remote settings_;
  const StopToken stop_;
  const std::string library_, prefix_;

  std::mutex mutex_;  // of what follows
  std::vector<Connection> idle_;
  std::size_t asked_ = 0;             ///< which of the servers is asked next
  std::optional<RedisServer> moved_;  ///< where the Cluster says that the keys are
  Clock::time_point closed_until_{};
  std::string last_trouble_;
};

}  // namespace leitong::online
