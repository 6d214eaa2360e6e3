// One connection to a Redis server, plain or by TLS: commands out, replies in.
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
  /// Connects, and says who this is. `tls`: null for plain ones. Fails with io, and with invalid_argument
  /// where another try is in vain: the server's certificate is not believed, or the server doesn't take the
  /// password.
  static Result<std::unique_ptr<RedisConnection>> open(const RedisAddress& address, const RedisServer& server,
                                                       const Remote& settings, const TlsSettings* tls);

  /// Fails with io where the server is away.
  Result<void> send(const std::vector<RedisCommand>& commands);
  /// The reply to the first command that has none yet. Fails with io where none came in time or the server is
  /// away, with corrupt for what no Redis says. After a failure the connection is of no use.
  Result<RedisReply> receive();

  /// It was kept for later, and the server may have closed it since.
  void set_idle() noexcept { was_idle_ = true; }
  [[nodiscard]] bool was_idle() const noexcept { return was_idle_; }

  /// The server's address, as numbers.
  [[nodiscard]] std::string host() const;

 private:
  struct Close {
    void operator()(redisContext* context) const noexcept;
  };
  RedisConnection(std::unique_ptr<redisContext, Close> context, std::chrono::milliseconds answer)
      : context_(std::move(context)), answer_(answer) {}
  Result<void> write(std::string_view bytes);
  /// Some bytes that came, in a buffer that the next call uses again.
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
