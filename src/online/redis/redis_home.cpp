#include "online/redis/redis_home.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/pair.hpp"
#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/changes.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// Rows that are read at once.
constexpr std::uint32_t kRemovedAtOnce = 256;
// So many numbers of texts and removals are examined in one call, because other clients wait meanwhile.
constexpr std::uint64_t kLookedAtOnce = 1000;

/// The value of a line "name:value" of INFO.
std::string_view info_of(std::string_view info, std::string_view name) {
  for (std::size_t at = 0; (at = info.find(name, at)) != std::string_view::npos; ++at)
    if ((at == 0 || info[at - 1] == '\n') && info.substr(at + name.size()).starts_with(':')) {
      const std::string_view rest = info.substr(at + name.size() + 1);
      return rest.substr(0, rest.find_first_of("\r\n"));
    }
  return {};
}

/// The history of an index on a server that may lose its latest writes when it ends or when another server
/// takes over. Numbers are then reused, so older cursors must belong to another history.
std::uint64_t history_there(std::string_view history, std::string_view server, std::string_view replication) {
  std::uint64_t mixed = 0;
  for (const std::string_view part :
       {history, info_of(server, "run_id"), info_of(replication, "master_replid")})
    for (const char letter : part) mixed = mix64(mixed ^ static_cast<unsigned char>(letter)) + 1;
  return mixed;
}

}  // namespace

RedisHome::RedisHome(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription& index)
    : ServerHome(context, std::move(index.scheme), "Redis", link->address().shown()),
      link_(std::move(link)),
      history_(std::move(index.history)),
      plan_(std::move(index.plan)),
      layout_(std::move(index.layout)) {}

Result<Stored> RedisHome::stored_in(const RedisReply& reply) const {
  Row row;
  if (reply.list.size() != 3 || !unpack_redis_row(reply.list[1].text, scheme_->spec().bits / 8, row))
    return link_->not_understood("a row");
  return stored_of(std::move(row), reply.list[2].text);
}

Result<std::vector<std::optional<Stored>>> RedisHome::get_all(std::span<const std::string> ids) {
  std::vector<RedisCommand> calls;
  for (std::size_t first = 0; first < ids.size(); first += kRemovedAtOnce) {
    RedisCommand& get = calls.emplace_back(link_->function("get", true));
    get.emplace_back("ids");
    const auto part = ids.subspan(first, std::min<std::size_t>(kRemovedAtOnce, ids.size() - first));
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

Result<Changes> RedisHome::changes(std::string_view since, const ChangesWanted& wanted) {
  LEITONG_TRY(check_wanted(wanted));
  std::optional<Extent> seen;
  Changes changes;
  // Each call shows one moment, and the next call continues from there, as a follower would.
  do {
    LEITONG_TRY(stop().check());
    RedisCommand call = link_->function("changes", true);
    // The first call finds the end of the index.
    const Extent from = seen.value_or(Extent());
    const std::uint64_t most = seen ? std::min<std::uint64_t>(wanted.limit, kLookedAtOnce) : 0;
    for (const std::uint64_t number :
         {std::uint64_t{from.texts}, from.removals, most, static_cast<std::uint64_t>(kMostChangedBytes)})
      call.push_back(std::to_string(number));
    LEITONG_ASSIGN(const std::vector<RedisReply> replies,
                   link_->ask({call, {"INFO", "server"}, {"INFO", "replication"}}));
    const std::vector<RedisReply>& told = replies[0].list;
    const auto is_count = [](const RedisReply& reply) { return reply.integer >= 0; };
    if (told.size() != 7 || !std::all_of(told.begin() + 1, told.begin() + 5, is_count) ||
        told[1].integer > UINT32_MAX || told[4].integer > told[1].integer)
      return link_->not_understood("changes");
    const std::uint64_t history = history_there(told[0].text, replies[1].text, replies[2].text);
    const Extent end{static_cast<TextNumber>(told[1].integer), static_cast<std::uint64_t>(told[2].integer)};
    // An earlier page may be of another history, as its cursor shows.
    const std::optional<Extent> before = seen;
    LEITONG_ASSIGN(seen, seen_by(changes.cursor.empty() ? since : changes.cursor, history, end));
    if (seen->removals < static_cast<std::uint64_t>(told[3].integer) && seen->removals < end.removals)
      return are_forgotten();
    if (most > 0) {
      std::vector<Removal> removals;
      for (const RedisReply& one : told[5].list) {
        std::string_view bytes = one.text;
        if (bytes.size() < sizeof(TextNumber)) return link_->not_understood("a removal");
        removals.push_back({static_cast<TextNumber>(number_in_key(bytes.substr(0, sizeof(TextNumber)))),
                            std::string(bytes.substr(sizeof(TextNumber)))});
      }
      std::vector<std::pair<TextNumber, const RedisReply*>> texts;
      for (const RedisReply& one : told[6].list) {
        if (one.list.size() != 3 || one.list[0].text.size() != sizeof(TextNumber))
          return link_->not_understood("a row");
        texts.emplace_back(static_cast<TextNumber>(number_in_key(one.list[0].text)), &one);
      }
      const auto stored = [&](const auto& text) -> Result<Stored> {
        LEITONG_ASSIGN(Stored one, stored_in(*text.second));
        if (!wanted.texts) one.text.clear();
        return one;
      };
      LEITONG_ASSIGN(changes.changes, in_order(std::span(texts), static_cast<TextNumber>(told[4].integer),
                                               std::span(removals), wanted.limit, *seen, stored));
    }
    changes.cursor = cursor_of(history, *seen);
    changes.more = *seen != end;
    if (changes.more && changes.changes.empty() && seen == before) return link_->not_understood("changes");
  } while (changes.changes.empty() && changes.more);
  return changes;
}

Result<void> RedisHome::for_each_stored(const std::string* source, const EachStored& each) {
  TextNumber end = 0;
  for (TextNumber next = 0;;) {
    LEITONG_TRY(stop().check());
    // A text that took the place of a removed one has a higher number than the previous end.
    if (next == end) {
      LEITONG_ASSIGN(end, next_number());
    }
    if (next >= end) return {};
    RedisCommand get = link_->function("get", true);
    get.emplace_back("numbers");
    for (TextNumber left = std::min(kRemovedAtOnce, end - next); left > 0; --left)
      get.push_back(key_of(next++));
    LEITONG_ASSIGN(const std::vector<RedisReply> rows, link_->ask({get}));
    for (const RedisReply& row : rows[0].list) {
      if (row.list.empty()) continue;
      LEITONG_ASSIGN(const Stored stored, stored_in(row));
      if (source == nullptr || stored.source == *source) LEITONG_TRY(each(stored));
    }
  }
}

Result<Figures> RedisHome::figures() {
  LEITONG_ASSIGN(const std::vector<RedisReply> replies,
                 link_->ask({{"HMGET", link_->key("meta"), "new", "near", "exact"}}));
  if (replies[0].list.size() != 3) return link_->not_understood("the counts");
  const auto count = [&](std::size_t i) { return number_in(replies[0].list[i].text).value_or(0); };
  return figures_of(scheme_->spec(), count(0), count(1), count(2));
}

Result<void> RedisHome::snapshot(const std::filesystem::path&) {
  return not_here("copies of an index on Redis are the server's affair (BGSAVE); its texts can be exported");
}

}  // namespace leitong::online
