#include "online/redis/redis_home.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "online/number_in.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// Rows that are read at once.
constexpr std::uint32_t kRowsAtOnce = 256;

}  // namespace

RedisHome::RedisHome(const Context& context, std::unique_ptr<RedisLink> link,
                     std::unique_ptr<IndexScheme> scheme)
    : ServerHome(context, std::move(scheme), "Redis", link->address().shown()), link_(std::move(link)) {}

Result<Stored> RedisHome::stored_in(const RedisReply& reply) const {
  Row row;
  if (reply.list.size() != 3 || !unpack_redis_row(reply.list[1].text, scheme_->maker().bits / 8, row))
    return link_->not_understood("a row");
  return stored_of(std::move(row), reply.list[2].text);
}

Result<std::vector<std::optional<Stored>>> RedisHome::get_all(std::span<const std::string> ids) {
  std::vector<RedisCommand> calls;
  for (std::size_t first = 0; first < ids.size(); first += kRowsAtOnce) {
    RedisCommand& get = calls.emplace_back(link_->function("get", true));
    get.emplace_back("ids");
    const auto part = ids.subspan(first, std::min<std::size_t>(kRowsAtOnce, ids.size() - first));
    get.insert(get.end(), part.begin(), part.end());
  }
  std::vector<std::optional<Stored>> texts;
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask(calls));
  for (const RedisReply& reply : replies)
    for (const RedisReply& row : reply.list) {
      texts.emplace_back();
      if (row.list.empty()) continue;
      LEITONG_ASSIGN(texts.back(), stored_in(row));
    }
  if (texts.size() != ids.size()) return link_->not_understood("rows");
  return texts;
}

Result<TextNumber> RedisHome::next_number() {
  LEITONG_ASSIGN(const std::vector<RedisReply> next, link_->ask({{"HGET", link_->key("meta"), "next"}}));
  const auto end = number_in(next[0].text);
  if (!end || *end > UINT32_MAX) return link_->not_understood("the next number");
  return static_cast<TextNumber>(*end);
}

Result<void> RedisHome::for_each_stored(const std::string* source, const EachStored& each) {
  LEITONG_ASSIGN(const TextNumber end, next_number());
  for (std::uint64_t first = 0; first < end; first += kRowsAtOnce) {
    LEITONG_TRY(stop().check());
    RedisCommand get = link_->function("get", true);
    get.emplace_back("numbers");
    for (std::uint64_t n = first; n < std::min<std::uint64_t>(end, first + kRowsAtOnce); ++n)
      get.push_back(key_of(static_cast<TextNumber>(n)));
    LEITONG_ASSIGN(const std::vector<RedisReply> rows, link_->ask({get}));
    for (const RedisReply& row : rows[0].list) {
      if (row.list.empty()) continue;
      LEITONG_ASSIGN(const Stored stored, stored_in(row));
      if (source == nullptr || stored.source == *source) LEITONG_TRY(each(stored));
    }
  }
  return {};
}

Result<Figures> RedisHome::figures() {
  LEITONG_ASSIGN(const std::vector<RedisReply> replies,
                 link_->ask({{"HMGET", link_->key("meta"), "new", "near", "exact"}}));
  if (replies[0].list.size() != 3) return link_->not_understood("the counts");
  Figures figures;
  const auto count = [&](std::size_t i) { return number_in(replies[0].list[i].text).value_or(0); };
  figures.fresh = count(0);
  figures.near = count(1);
  figures.exact = count(2);
  figures.texts = figures.fresh + figures.near + figures.exact;
  figures.scheme = scheme_text(scheme_->maker().scheme);
  figures.distance = scheme_->maker().distance;
  return figures;
}

Result<void> RedisHome::snapshot(const std::filesystem::path&) {
  return not_here("copies of an index on Redis are the server's affair (BGSAVE); its texts can be exported");
}

}  // namespace leitong::online
