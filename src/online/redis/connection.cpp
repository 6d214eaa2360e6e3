#include "online/redis/connection.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/try.hpp"

namespace leitong::online {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

timeval to_timeval(std::chrono::milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000), static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

void append(const RedisCommand& command, std::string& bytes) {
  fmt::format_to(std::back_inserter(bytes), "*{}\r\n", command.size());
  for (const std::string& part : command) {
    fmt::format_to(std::back_inserter(bytes), "${}\r\n", part.size());
    bytes.append(part).append("\r\n");
  }
}

}  // namespace

void RedisConnection::Close::operator()(redisContext* context) const noexcept { redisFree(context); }

tl::unexpected<Error> RedisConnection::away() const {
  return fail(ErrorCode::io, errno == EAGAIN ? fmt::format("no answer within {} ms", answer_.count())
                                             : std::string(std::strerror(errno)));
}

std::string RedisConnection::host() const {
  return context_->tcp.host == nullptr ? std::string() : context_->tcp.host;
}

Result<std::unique_ptr<RedisConnection>> RedisConnection::open(const RedisAddress& address,
                                                               const ServerAddress& server,
                                                               const Remote& settings,
                                                               const TlsSettings* tls) {
  std::unique_ptr<redisContext, Close> context(
      redisConnectWithTimeout(server.host.c_str(), server.port, to_timeval(settings.connect)));
  if (context == nullptr) return fail(ErrorCode::io, "no memory for a connection");
  if (context->err != 0) return fail(ErrorCode::io, context->errstr);
  redisSetTimeout(context.get(), to_timeval(settings.answer));
  std::unique_ptr<RedisConnection> connection(new RedisConnection(std::move(context), settings.answer));
  if (tls != nullptr) LEITONG_TRY(connection->shake_hands(*tls, server.host));
  if (address.password.empty()) return connection;
  RedisCommand who = {"AUTH"};
  if (!address.user.empty()) who.push_back(address.user);
  who.push_back(address.password);
  LEITONG_TRY(connection->send({who}));
  LEITONG_ASSIGN(const RedisReply reply, connection->receive());
  if (reply.kind != RedisReply::Kind::error) return connection;
  return fail(reply.text.starts_with("WRONGPASS") ? ErrorCode::invalid_argument : ErrorCode::io, reply.text);
}

Result<void> RedisConnection::shake_hands(const TlsSettings& settings, std::string_view host) {
  LEITONG_ASSIGN(tls_, Tls::begin(settings, std::string(host)));
  for (;;) {
    LEITONG_ASSIGN(const bool done, tls_->shake_hands());
    LEITONG_TRY(write(tls_->take_outgoing()));
    if (done) return {};
    LEITONG_ASSIGN(const std::string_view bytes, read());
    tls_->feed(bytes);
  }
}

Result<void> RedisConnection::send(const std::vector<RedisCommand>& commands) {
  out_.clear();
  for (const RedisCommand& command : commands) append(command, out_);
  if (tls_ == nullptr) return write(out_);
  LEITONG_TRY(tls_->encrypt(out_));
  return write(tls_->take_outgoing());
}

Result<RedisReply> RedisConnection::receive() {
  for (;;) {
    LEITONG_ASSIGN(std::optional<RedisReply> reply, replies_.next());
    if (reply) return std::move(*reply);
    LEITONG_ASSIGN(std::string_view bytes, read());
    if (tls_ != nullptr) {
      tls_->feed(bytes);
      LEITONG_ASSIGN(bytes, tls_->decrypted());
    }
    replies_.feed(bytes);
  }
}

Result<void> RedisConnection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(context_->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(size));
    else if (errno != EINTR) {
      const int error = errno;
      ::shutdown(context_->fd, SHUT_RDWR);  // a thread that waits for a reply returns at once
      errno = error;
      return away();
    }
  }
  return {};
}

Result<std::string_view> RedisConnection::read() {
  in_.resize(kReadBytes);
  for (;;) {
    const ssize_t size = ::recv(context_->fd, in_.data(), in_.size(), 0);
    if (size > 0) return std::string_view(in_).substr(0, static_cast<std::size_t>(size));
    if (size == 0) return fail(ErrorCode::io, "the server closed the connection");
    if (errno != EINTR) return away();
  }
}

}  // namespace leitong::online
