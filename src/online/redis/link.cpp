#include "online/redis/link.hpp"

#include <fmt/core.h>
#include <hiredis/hiredis.h>
#include <sys/time.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <thread>
#include <utility>

#include "base/try.hpp"
#include "online/redis/functions.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;

// Connections that are kept for later.
constexpr std::size_t kIdle = 16;
constexpr milliseconds kFirstWait{10}, kLongestWait{1000};
// Lists within lists that an answer may have: ours have two.
constexpr int kDeepest = 4;

struct FreeReply {
  void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
};
using RawReply = std::unique_ptr<redisReply, FreeReply>;

timeval to_timeval(milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000), static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

bool send(redisContext& context, const RedisCommand& command) {
  std::vector<const char*> parts;
  std::vector<std::size_t> sizes;
  for (const std::string& part : command) {
    parts.push_back(part.data());
    sizes.push_back(part.size());
  }
  return redisAppendCommandArgv(&context, static_cast<int>(parts.size()), parts.data(), sizes.data()) ==
         REDIS_OK;
}

RawReply receive(redisContext& context) {
  void* reply = nullptr;
  if (redisGetReply(&context, &reply) != REDIS_OK) return nullptr;
  return RawReply(static_cast<redisReply*>(reply));
}

std::string_view text_of(const redisReply& reply) {
  return reply.str == nullptr ? std::string_view()
                              : std::string_view(reply.str, static_cast<std::size_t>(reply.len));
}

bool copy(const redisReply& raw, int depth, RedisReply& reply) {
  switch (raw.type) {
    case REDIS_REPLY_NIL:
      return true;
    case REDIS_REPLY_INTEGER:
      reply.kind = RedisReply::Kind::integer;
      reply.integer = raw.integer;
      return true;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      reply.kind = RedisReply::Kind::text;
      reply.text = text_of(raw);
      return true;
    case REDIS_REPLY_ARRAY:
      reply.kind = RedisReply::Kind::list;
      if (depth == 0) return false;
      reply.list.resize(raw.elements);
      for (std::size_t i = 0; i < raw.elements; ++i)
        if (raw.element[i] == nullptr || !copy(*raw.element[i], depth - 1, reply.list[i])) return false;
      return true;
    default:
      return false;
  }
}

std::string library_name() {
  const std::string functions = redis_functions();
  return fmt::format("leitong_{:016x}", XXH3_64bits(functions.data(), functions.size()));
}

bool ok(redisContext& context, const RedisCommand& command, std::string& said) {
  const RawReply reply = send(context, command) ? receive(context) : nullptr;
  if (reply != nullptr && reply->type != REDIS_REPLY_ERROR) return true;
  said = reply != nullptr ? std::string(text_of(*reply)) : std::string(context.errstr);
  return false;
}

}  // namespace

void RedisLink::Close::operator()(redisContext* context) const noexcept { redisFree(context); }

RedisLink::RedisLink(RedisAddress address, const Remote& settings, StopToken stop)
    : address_(std::move(address)),
      settings_(settings),
      stop_(stop),
      // Programs with other functions may use the same server.
      library_(library_name()),
      prefix_(library_ + "_") {}
RedisLink::~RedisLink() = default;

RedisCommand RedisLink::function(std::string_view name, bool reads_only) const {
  return {reads_only ? "FCALL_RO" : "FCALL", prefix_ + std::string(name), "1",
          fmt::format("leitong:{{{}}}:meta", address_.name)};
}

tl::unexpected<Error> RedisLink::not_understood(std::string_view what) const {
  return fail(
      ErrorCode::corrupt,
      fmt::format("{}: gave an answer that isn't understood ({}); is it a Redis server, and is the index "
                  "whole? leitong index verify compares it",
                  address_.shown(), what));
}

Result<void> RedisLink::wait(milliseconds time) const {
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    LEITONG_TRY(stop_.check());
    std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), milliseconds(20)));
  }
  return stop_.check();
}

Result<std::vector<RedisReply>> RedisLink::ask(const std::vector<RedisCommand>& commands) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto now = Clock::now(); now < closed_until_)
      return fail(ErrorCode::io,
                  fmt::format("{}: is not asked for another {:.1f} seconds, since it didn't answer: {}",
                              address_.shown(), std::chrono::duration<double>(closed_until_ - now).count(),
                              last_trouble_));
  }
  std::string trouble;
  milliseconds pause = kFirstWait;
  for (unsigned tried = 0; tried < settings_.tries; ++tried) {
    LEITONG_TRY(stop_.check());
    Attempt made = attempt(commands);
    if (made.done) return std::move(made.replies);
    if (made.error) return tl::unexpected<Error>(std::move(*made.error));
    trouble = std::move(made.trouble);
    if (!made.wait || tried + 1 == settings_.tries) continue;
    LEITONG_TRY(wait(pause));
    pause = std::min(2 * pause, kLongestWait);
  }
  const std::scoped_lock lock(mutex_);
  closed_until_ = Clock::now() + settings_.pause;
  last_trouble_ = trouble;
  idle_.clear();
  return fail(ErrorCode::io, fmt::format("{}: doesn't answer, asked {} times: {}", address_.shown(),
                                         settings_.tries, trouble));
}

Result<RedisLink::Connection> RedisLink::connect() {
  RedisServer server;
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      Connection connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
    server = moved_ ? *moved_ : address_.servers[asked_ % address_.servers.size()];
  }
  const auto failed = [&](std::string_view what) {
    const std::scoped_lock lock(mutex_);
    // Another one may know better.
    moved_.reset();
    ++asked_;
    return fail(ErrorCode::io, fmt::format("{}:{}: {}", server.host, server.port, what));
  };
  Connection connection(
      redisConnectWithTimeout(server.host.c_str(), server.port, to_timeval(settings_.connect)));
  if (connection == nullptr) return failed("no memory for a connection");
  if (connection->err != 0) return failed(connection->errstr);
  redisSetTimeout(connection.get(), to_timeval(settings_.answer));
  if (address_.password.empty()) return connection;
  RedisCommand who = {"AUTH"};
  if (!address_.user.empty()) who.push_back(address_.user);
  who.push_back(address_.password);
  std::string said;
  if (!ok(*connection, who, said)) return failed(said);
  return connection;
}

RedisLink::Attempt RedisLink::attempt(const std::vector<RedisCommand>& commands) {
  Attempt result;
  auto connected = connect();
  if (!connected) {
    result.trouble = connected.error().message;
    return result;
  }
  Connection connection = std::move(*connected);
  for (const RedisCommand& command : commands)
    if (!send(*connection, command)) {
      result.error = Error{ErrorCode::io, fmt::format("{}: {}", address_.shown(), connection->errstr)};
      return result;
    }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const RawReply raw = receive(*connection);
    if (raw == nullptr) {
      if (connection->err == REDIS_ERR_PROTOCOL)
        result.error = not_understood(connection->errstr).value();
      else
        result.trouble = connection->err == REDIS_ERR_IO && errno == EAGAIN
                             ? fmt::format("no answer within {} ms", settings_.answer.count())
                             : std::string(connection->errstr);
      return result;  // the connection goes
    }
    if (raw->type == REDIS_REPLY_ERROR) {
      // What else was sent is answered in the same way, or done twice.
      judge(text_of(*raw), *connection, result);
      return result;
    }
    if (!copy(*raw, kDeepest, result.replies.emplace_back())) {
      result.error = not_understood("lists in lists").value();
      return result;
    }
  }
  result.done = true;
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kIdle) idle_.push_back(std::move(connection));
  return result;
}

// What an error says: something that passes, something that can be mended here, or neither.
void RedisLink::judge(std::string_view said, const redisContext& context, Attempt& attempt) {
  attempt.trouble = said;
  const auto begins = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return said.starts_with(word); });
  };
  const auto refused = [&](ErrorCode code, std::string_view why) {
    attempt.error = Error{code, fmt::format("{}: {}{}", address_.shown(), why, said.substr(0, 300))};
  };
  if (begins({"MOVED "})) {
    const std::scoped_lock lock(mutex_);
    RedisServer to;
    const std::size_t at = said.rfind(' '), colon = said.rfind(':');
    if (colon == std::string_view::npos || colon < at) return refused(ErrorCode::io, "");
    to.host = said.substr(at + 1, colon - at - 1);
    if (to.host.empty() && context.tcp.host != nullptr) to.host = context.tcp.host;
    std::from_chars(said.data() + colon + 1, said.data() + said.size(), to.port);
    // A Cluster that sends us round in circles is not hurried.
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
  std::string said;
  if (ok(**connected, {"FUNCTION", "LOAD", "REPLACE", code}, said)) {
    attempt.wait = false;
    return;
  }
  attempt.error = Error{ErrorCode::io, fmt::format("{}: the functions of an index can't be loaded: {}",
                                                   address_.shown(), said.substr(0, 300))};
}

}  // namespace leitong::online
