#include "online/redis/reply.hpp"

#include <hiredis/read.h>

#include <new>
#include <utility>

namespace leitong::online {
namespace {

// The most parts of one reply, with nested lists: those of an index have some thousands. A hostile server can
// announce a million in a few bytes.
constexpr std::size_t kMostParts = std::size_t{1} << 18;

/// The place for a part of a reply: in its list or, for the outermost part, a new reply.
RedisReply* place_of(const redisReadTask* task) {
  if (task->parent == nullptr) return new RedisReply;
  return &static_cast<RedisReply*>(task->parent->obj)->list[static_cast<std::size_t>(task->idx)];
}

void* take_text(const redisReadTask* task, char* bytes, std::size_t size) {
  RedisReply* const reply = place_of(task);
  reply->kind = task->type == REDIS_REPLY_ERROR ? RedisReply::Kind::error : RedisReply::Kind::text;
  reply->text.assign(bytes, size);
  return reply;
}

void* take_list(const redisReadTask* task, int size) {
  auto& parts = *static_cast<std::size_t*>(task->privdata);
  if (size < 0 || static_cast<std::size_t>(size) > kMostParts - parts) return nullptr;
  parts += static_cast<std::size_t>(size);
  RedisReply* const reply = place_of(task);
  reply->kind = RedisReply::Kind::list;
  reply->list.resize(static_cast<std::size_t>(size));
  return reply;
}

void* take_integer(const redisReadTask* task, long long value) {
  RedisReply* const reply = place_of(task);
  reply->kind = RedisReply::Kind::integer;
  reply->integer = value;
  return reply;
}

void* take_nothing(const redisReadTask* task) { return place_of(task); }

void free_reply(void* reply) { delete static_cast<RedisReply*>(reply); }

redisReplyObjectFunctions functions = {take_text, take_list, take_integer, take_nothing, free_reply};

}  // namespace

void RedisReplyReader::Free::operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }

RedisReplyReader::RedisReplyReader() : reader_(redisReaderCreateWithFunctions(&functions)) {
  if (reader_ == nullptr) throw std::bad_alloc();
}

void RedisReplyReader::feed(std::string_view bytes) {
  redisReaderFeed(reader_.get(), bytes.data(), bytes.size());  // the next reply reports a failure
}

Result<std::optional<RedisReply>> RedisReplyReader::next() {
  reader_->privdata = &parts_;
  void* reply = nullptr;
  if (redisReaderGetReply(reader_.get(), &reply) != REDIS_OK)
    return fail(ErrorCode::corrupt, reader_->errstr);
  if (reply == nullptr) return std::nullopt;
  parts_ = 0;
  const std::unique_ptr<RedisReply> owned(static_cast<RedisReply*>(reply));
  return std::move(*owned);
}

}  // namespace leitong::online
