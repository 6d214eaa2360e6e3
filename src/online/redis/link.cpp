#include "online/redis/link.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/try.hpp"
#include "online/redis/functions.hpp"

namespace leitong::online {
namespace {

// Connections that are kept for later.
constexpr std::size_t kIdle = 16;

std::string library_name() {
  const std::string functions = redis_functions();
  return fmt::format("leitong_{:016x}", XXH3_64bits(functions.data(), functions.size()));
}

}  // namespace

RedisLink::RedisLink(RedisAddress address, std::unique_ptr<const TlsSettings> tls, const Remote& settings,
                     StopToken stop)
    : address_(std::move(address)),
      settings_(settings),
      stop_(stop),
      tls_(std::move(tls)),
      // Programs with other functions may use the same server.
      library_(library_name()),
      prefix_(library_ + "_"),
      circuit_(address_.shown(), settings, stop) {}
RedisLink::~RedisLink() = default;

std::string RedisLink::key(std::string_view what) const {
  return fmt::format("leitong:{{{}}}:{}", address_.name, what);
}

RedisCommand RedisLink::function(std::string_view name, bool reads_only) const {
  return {reads_only ? "FCALL_RO" : "FCALL", prefix_ + std::string(name), "1", key("meta")};
}

tl::unexpected<Error> RedisLink::not_understood(std::string_view what) const {
  return fail(
      ErrorCode::corrupt,
      fmt::format("{}: gave an answer that isn't understood ({}); is it a Redis server, and is the index "
                  "whole? leitong index verify compares it",
                  address_.shown(), what));
}

RedisLink::Sent RedisLink::send(std::vector<RedisCommand> commands) {
  Sent sent;
  if (Result<void> may = circuit_.check(); !may) {
    sent.refused = std::move(may.error());
    return sent;
  }
  sent.connection = begin(commands);
  sent.commands = std::move(commands);
  return sent;
}

Result<std::vector<RedisReply>> RedisLink::receive(Sent sent) {
  if (sent.refused) return tl::unexpected<Error>(std::move(*sent.refused));
  Circuit::Tries tries(circuit_);
  for (;; sent.connection = begin(sent.commands)) {
    LEITONG_TRY(stop_.check());
    Attempt made = collect(std::move(sent.connection), sent.commands.size());
    if (made.done) return std::move(made.replies);
    if (made.error) return tl::unexpected<Error>(std::move(*made.error));
    if (made.was_idle && tries.excuse_idle()) {
      const std::scoped_lock lock(mutex_);
      idle_.clear();
    } else {
      LEITONG_TRY(tries.again(made.trouble, made.wait));
    }
  }
}

Result<RedisLink::Connection> RedisLink::connect() {
  ServerAddress server;
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      Connection connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
    server = moved_ ? *moved_ : address_.servers[asked_ % address_.servers.size()];
  }
  auto connection = RedisConnection::open(address_, server, settings_, tls_.get());
  if (connection) return connection;
  const std::scoped_lock lock(mutex_);
  // Another server may know more.
  moved_.reset();
  ++asked_;
  return fail(connection.error().code,
              fmt::format("{}:{}: {}", server.host, server.port, connection.error().message));
}

Result<RedisLink::Connection> RedisLink::begin(const std::vector<RedisCommand>& commands) {
  LEITONG_ASSIGN(Connection connection, connect());
  // A failure of send() shows again when the reply is read, and is handled there.
  static_cast<void>(connection->send(commands));
  return connection;
}

RedisLink::Attempt RedisLink::collect(Result<Connection> begun, std::size_t replies) {
  Attempt result;
  if (!begun) {
    if (begun.error().code == ErrorCode::invalid_argument) result.error = begun.error();
    result.trouble = begun.error().message;
    return result;
  }
  Connection connection = std::move(*begun);
  for (std::size_t i = 0; i < replies; ++i) {
    auto reply = connection->receive();
    if (!reply) {
      if (reply.error().code == ErrorCode::corrupt)
        result.error = not_understood(reply.error().message).value();
      else
        result.trouble = reply.error().message;
      result.was_idle = connection->was_idle();
      return result;  // the connection is dropped
    }
    if (reply->kind == RedisReply::Kind::error) {
      // The other replies would be the same error, or their commands are repeated.
      judge(reply->text, *connection, result);
      return result;
    }
    result.replies.push_back(std::move(*reply));
  }
  result.done = true;
  const std::scoped_lock lock(mutex_);
  connection->set_idle();
  if (idle_.size() < kIdle) idle_.push_back(std::move(connection));
  return result;
}

// Classifies an error: it is temporary, it can be repaired here, or neither.
void RedisLink::judge(std::string_view said, const RedisConnection& connection, Attempt& attempt) {
  attempt.trouble = said;
  const auto begins = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return said.starts_with(word); });
  };
  const auto refused = [&](ErrorCode code, std::string_view why) {
    attempt.error = Error{code, fmt::format("{}: {}{}", address_.shown(), why, said.substr(0, 300))};
  };
  if (begins({"MOVED "})) {
    const std::scoped_lock lock(mutex_);
    ServerAddress to;
    const std::size_t at = said.rfind(' '), colon = said.rfind(':');
    if (colon == std::string_view::npos || colon < at) return refused(ErrorCode::io, "");
    to.host = said.substr(at + 1, colon - at - 1);
    if (to.host.empty()) to.host = connection.host();
    std::from_chars(said.data() + colon + 1, said.data() + said.size(), to.port);
    // Wait if a Cluster redirects in a circle.
    attempt.wait = moved_ == to;
    moved_ = std::move(to);
    idle_.clear();
  } else if (begins({"READONLY", "MASTERDOWN", "CLUSTERDOWN"})) {
    const std::scoped_lock lock(mutex_);
    moved_.reset();
    ++asked_;
    idle_.clear();
  } else if (begins({"ERR Function not found"})) {
    load_functions(attempt);
  } else if (begins({"LEITONG "})) {
    attempt.error = Error{ErrorCode::io, fmt::format("{}: {}", address_.shown(), said.substr(8))};
  } else if (begins({"ERR unknown command"})) {
    refused(ErrorCode::unsupported, "an index needs Redis 7 or later: ");
  } else if (begins({"OOM"})) {
    refused(ErrorCode::io, "the server has no memory left, and nothing was added: ");
  } else if (begins({"NOAUTH", "WRONGPASS", "NOPERM"})) {
    refused(ErrorCode::invalid_argument, "the server asks who this is, or forbids it: ");
  } else if (!begins({"ASK ", "TRYAGAIN", "LOADING", "BUSY"})) {
    refused(ErrorCode::io, "the server refuses: ");
  }
}

void RedisLink::load_functions(Attempt& attempt) {
  auto connected = connect();
  if (!connected) {
    attempt.trouble = connected.error().message;
    return;
  }
  const std::string code =
      fmt::format("#!lua name={}\nlocal PREFIX = '{}'\n{}", library_, prefix_, redis_functions());
  const Result<void> sent = (*connected)->send({{"FUNCTION", "LOAD", "REPLACE", code}});
  const Result<RedisReply> reply = sent ? (*connected)->receive() : tl::unexpected<Error>(sent.error());
  if (reply && reply->kind != RedisReply::Kind::error) {
    attempt.wait = false;
    return;
  }
  attempt.error =
      Error{ErrorCode::io,
            fmt::format("{}: the functions of an index can't be loaded: {}", address_.shown(),
                        std::string_view(reply ? reply->text : reply.error().message).substr(0, 300))};
}

}  // namespace leitong::online
