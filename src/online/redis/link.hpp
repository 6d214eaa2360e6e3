// Connections to a Redis server, or to the master of a Cluster that has the keys of an index. A failed call
// is tried again, with growing pauses and a limited number of times; a server that never answers is not tried
// for a while.
#pragma once

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

/// Thread-safe: each call uses a connection of its own.
class RedisLink {
 public:
  /// `tls`: the settings for the address; null for plain connections.
  RedisLink(RedisAddress address, std::unique_ptr<const TlsSettings> tls, const Remote& settings,
            StopToken stop);
  ~RedisLink();
  RedisLink(const RedisLink&) = delete;
  RedisLink& operator=(const RedisLink&) = delete;

  /// The name of one of the index's keys.
  [[nodiscard]] std::string key(std::string_view what) const;
  /// A call of one of the functions with the index's keys.
  [[nodiscard]] RedisCommand function(std::string_view name, bool reads_only) const;

  /// The replies to some commands, which are sent together. If the connection is lost, all of them are sent
  /// again: REQUIRES that repeating them does no harm. Fails with io if no server answers, if the server
  /// refuses, and at once if it did not answer lately; with corrupt for impossible answers; with cancelled.
  Result<std::vector<RedisReply>> ask(std::vector<RedisCommand> commands) {
    return receive(send(std::move(commands)));
  }

  /// Commands that were sent. The caller may work until it receives the replies.
  class Sent {
   private:
    friend class RedisLink;
    std::vector<RedisCommand> commands;
    Result<std::unique_ptr<RedisConnection>> connection;
    std::optional<Error> refused;
  };
  Sent send(std::vector<RedisCommand> commands);
  /// Receives the replies, as ask() does.
  Result<std::vector<RedisReply>> receive(Sent sent);

  /// "redis://host:port/name: gave an answer that isn't understood: .."
  [[nodiscard]] tl::unexpected<Error> not_understood(std::string_view what) const;
  [[nodiscard]] const RedisAddress& address() const noexcept { return address_; }

 private:
  using Connection = std::unique_ptr<RedisConnection>;
  /// The result of one try.
  struct Attempt {
    std::vector<RedisReply> replies;
    bool done = false;
    std::optional<Error> error;  ///< another try is useless
    std::string trouble;         ///< a failure that may be temporary
    bool wait = true;            ///< true: wait before the next try
    bool was_idle = false;       ///< the connection had been idle
  };

  Result<Connection> connect();
  /// Sends the commands and returns their connection.
  Result<Connection> begin(const std::vector<RedisCommand>& commands);
  Attempt collect(Result<Connection> begun, std::size_t replies);
  void judge(std::string_view said, const RedisConnection& connection, Attempt& attempt);
  void load_functions(Attempt& attempt);

  const RedisAddress address_;
  const Remote settings_;
  const StopToken stop_;
  const std::unique_ptr<const TlsSettings> tls_;  ///< null for plain connections
  const std::string library_, prefix_;
  Circuit circuit_;

  std::mutex mutex_;  // guards what follows
  std::vector<Connection> idle_;
  std::size_t asked_ = 0;               ///< index of the next server to try
  std::optional<ServerAddress> moved_;  ///< where the keys are, according to the Cluster
};

}  // namespace leitong::online
