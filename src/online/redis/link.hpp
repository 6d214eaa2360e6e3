// Connections to a Redis server, or to the master of a Cluster that has the keys of an index. What fails is
// tried again, a bounded number of times and ever more slowly; a server that never answers is left alone for
// a while.
#pragma once

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
#include "online/circuit.hpp"
#include "online/redis/address.hpp"
#include "online/redis/connection.hpp"

namespace leitong::online {

/// Any number of threads may ask at once, each on a connection of its own.
class RedisLink {
 public:
  /// `tls`: of the address; null for plain connections.
  RedisLink(RedisAddress address, std::unique_ptr<const TlsSettings> tls, const Remote& settings,
            StopToken stop);
  ~RedisLink();
  RedisLink(const RedisLink&) = delete;
  RedisLink& operator=(const RedisLink&) = delete;

  /// The name of one of the index's keys.
  [[nodiscard]] std::string key(std::string_view what) const;
  /// A call of one of the functions on the index's keys.
  [[nodiscard]] RedisCommand function(std::string_view name, bool reads_only) const;

  /// The replies to some commands, which are sent together. If the connection is lost all of them are sent
  /// again: REQUIRES that doing them twice is as good as once. Fails with io where nobody answers, where
  /// the server refuses, and at once where it didn't answer lately; with corrupt for answers that aren't
  /// Redis's; with cancelled.
  Result<std::vector<RedisReply>> ask(std::vector<RedisCommand> commands) {
    return receive(send(std::move(commands)));
  }

  /// Commands on their way: while the server is at work, the caller may do something else.
  class Sent {
   private:
    friend class RedisLink;
    std::vector<RedisCommand> commands;
    Result<std::unique_ptr<RedisConnection>> connection;
    std::optional<Error> refused;
  };
  Sent send(std::vector<RedisCommand> commands);
  /// As ask() does.
  Result<std::vector<RedisReply>> receive(Sent sent);

  /// "redis://host:port/name: gave an answer that isn't understood: .."
  [[nodiscard]] tl::unexpected<Error> not_understood(std::string_view what) const;
  [[nodiscard]] const RedisAddress& address() const noexcept { return address_; }

 private:
  using Connection = std::unique_ptr<RedisConnection>;
  /// What became of one attempt.
  struct Attempt {
    std::vector<RedisReply> replies;
    bool done = false;
    std::optional<Error> error;  ///< for good
    std::string trouble;         ///< that may pass
    bool wait = true;            ///< before the next attempt
    bool was_idle = false;       ///< on a connection that somebody had used before
  };

  Result<Connection> connect();
  /// A connection that the commands went to.
  Result<Connection> begin(const std::vector<RedisCommand>& commands);
  Attempt collect(Result<Connection> begun, std::size_t replies);
  void forget_idle();
  void judge(std::string_view said, const RedisConnection& connection, Attempt& attempt);
  void load_functions(Attempt& attempt);

  const RedisAddress address_;
  const Remote settings_;
  const StopToken stop_;
  const std::unique_ptr<const TlsSettings> tls_;  ///< null for plain connections
  const std::string library_, prefix_;
  Circuit circuit_;

  std::mutex mutex_;  // of what follows
  std::vector<Connection> idle_;
  std::size_t asked_ = 0;             ///< which of the servers is asked next
  std::optional<RedisServer> moved_;  ///< where the Cluster says that the keys are
};

}  // namespace leitong::online
