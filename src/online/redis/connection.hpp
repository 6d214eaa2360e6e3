// One connection to a Redis server, plain or with TLS: sends commands and receives replies.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/redis/address.hpp"
#include "online/redis/reply.hpp"
#include "online/redis/tls.hpp"

struct redisContext;

namespace leitong::online {

using RedisCommand = std::vector<std::string>;

class RedisConnection {
 public:
  /// Connects and authenticates. `tls`: null for a plain connection. Fails with io, and with invalid_argument
  /// if another try is useless: the server's certificate is not trusted, or the server refuses the password.
  static Result<std::unique_ptr<RedisConnection>> open(const RedisAddress& address,
                                                       const ServerAddress& server, const Remote& settings,
                                                       const TlsSettings* tls);

  /// Fails with io if the server is away.
  Result<void> send(const std::vector<RedisCommand>& commands);
  /// The next reply. Fails with io if none came in time or the server is away, with corrupt if it is no Redis
  /// reply. After a failure the connection is unusable.
  Result<RedisReply> receive();

  /// Notes that the connection is kept for later use, so that the server may close it meanwhile.
  void set_idle() noexcept { was_idle_ = true; }
  [[nodiscard]] bool was_idle() const noexcept { return was_idle_; }

  /// The address of the server in numeric form.
  [[nodiscard]] std::string host() const;

 private:
  struct Close {
    void operator()(redisContext* context) const noexcept;
  };
  RedisConnection(std::unique_ptr<redisContext, Close> context, std::chrono::milliseconds answer)
      : context_(std::move(context)), answer_(answer) {}
  Result<void> write(std::string_view bytes);
  /// Some received bytes, in a buffer that the next call overwrites.
  Result<std::string_view> read();
  [[nodiscard]] tl::unexpected<Error> away() const;
  Result<void> shake_hands(const TlsSettings& settings, std::string_view host);

  std::unique_ptr<redisContext, Close> context_;
  const std::chrono::milliseconds answer_;  // longest wait
  std::unique_ptr<Tls> tls_;
  RedisReplyReader replies_;
  std::string out_, in_;
  bool was_idle_ = false;
};

}  // namespace leitong::online
