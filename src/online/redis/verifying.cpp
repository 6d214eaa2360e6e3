// Verifies what a Redis server keeps of an index. Rows, ids, families, sources and expiry are compared with
// each other here; each kind of index compares its postings, because it knows what a text posts.
#include <fmt/core.h>

#include <unordered_map>
#include <utility>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/redis/redis_home.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::uint32_t kVerifiedAtOnce = 256;

/// The lists of texts that are not the first of their content or family.
struct Lists {
  std::unordered_map<TextNumber, std::int64_t> copies, members;  ///< by slot
  std::int64_t rows = 0, expiring = 0;
};

}  // namespace

tl::unexpected<Error> RedisHome::damaged(std::string_view what) const {
  return fail(ErrorCode::corrupt, fmt::format("{}: {}", link_->address().shown(), what));
}

Result<std::vector<std::string>> RedisHome::counts() {
  LEITONG_ASSIGN(const std::vector<RedisReply> replies,
                 link_->ask({{"HMGET", link_->key("meta"), "new", "near", "exact", "next", "left", "changes",
                              "removals"}}));
  std::vector<std::string> counts;
  for (const RedisReply& one : replies[0].list) counts.push_back(one.text);
  if (counts.size() != 7) return link_->not_understood("the counts");
  return counts;
}

// Simultaneous changes by other clients would look like damage.
Result<void> RedisHome::verify() {
  constexpr unsigned kTries = 3;
  for (unsigned tries = 0; tries < kTries; ++tries) {
    LEITONG_ASSIGN(const std::vector<std::string> before, counts());
    Result<void> whole = verify_rows();
    if (whole) whole = verify_postings();
    if (whole || whole.error().code != ErrorCode::corrupt) return whole;
    LEITONG_ASSIGN(const std::vector<std::string> after, counts());
    if (before == after) return whole;
  }
  return fail(ErrorCode::io,
              link_->address().shown() +
                  ": others changed the index each time that it was compared; verify it while nobody does");
}

Result<void> RedisHome::verify_rows() {
  Lists lists;
  LEITONG_ASSIGN(const TextNumber end, next_number());
  const auto verify_page = [&](std::span<const RedisReply> page) -> Result<void> {
    struct Read {
      std::string number;
      Row row;
    };
    std::vector<Read> texts;
    std::vector<RedisCommand> commands;
    for (const RedisReply& reply : page) {
      if (reply.list.empty()) continue;
      Read& text = texts.emplace_back();
      if (reply.list.size() != 3 || !unpack_redis_row(reply.list[1].text, scheme_->spec().bits / 8, text.row))
        return damaged("a row is damaged");
      text.number = reply.list[0].text;
      commands.push_back({"HGET", link_->key("ids"), text.row.id});
      commands.push_back({"HMGET", link_->key("holders"), key_of(text.row.content), key_of(text.row.family)});
      commands.push_back({"ZSCORE", link_->key("source:") + text.row.source, text.row.id});
      commands.push_back({"ZSCORE", link_->key("expiry"), text.row.id});
    }
    LEITONG_ASSIGN(const std::vector<RedisReply> told, link_->ask(std::move(commands)));
    std::vector<RedisCommand> representatives;
    std::vector<const Read*> whose;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto& [number, row] = texts[i];
      const std::span<const RedisReply> its = std::span(told).subspan(4 * i, 4);
      const auto wrong = [&](std::string_view what) {
        return damaged(fmt::format("the text with the id \"{}\" {}", row.id, what));
      };
      if (its[0].text != number) return wrong("isn't found by it");
      if (its[1].list.size() != 2) return link_->not_understood("holders");
      const auto representative = [&](std::size_t which, TextNumber slot) {
        return its[1].list[which].text.empty() ? key_of(slot) : its[1].list[which].text;
      };
      const std::string of_content = representative(0, row.content),
                        of_family = representative(1, row.family);
      for (const std::string& each : {of_content, of_family}) {
        if (each == number) continue;
        representatives.push_back({"HEXISTS", link_->key("rows"), each});
        whose.push_back(&texts[i]);
      }
      if (of_content != number)
        ++lists.copies[row.content];
      else if (of_family != number)
        ++lists.members[row.family];
      if (!row.source.empty() && its[2].text != std::to_string(number_in_key(number)))
        return wrong("isn't found by its source");
      if (row.expires && its[3].text != std::to_string(*row.expires))
        return wrong("isn't found by the time at which it expires");
      ++lists.rows;
      lists.expiring += row.expires.has_value();
    }
    LEITONG_ASSIGN(const std::vector<RedisReply> there, link_->ask(std::move(representatives)));
    for (std::size_t i = 0; i < there.size(); ++i)
      if (there[i].integer != 1)
        return damaged(
            fmt::format("the text with the id \"{}\" has nobody that stands for it", whose[i]->row.id));
    return {};
  };
  for (TextNumber next = 0; next < end;) {
    LEITONG_TRY(stop().check());
    RedisCommand get = link_->function("get", true);
    get.emplace_back("numbers");
    for (TextNumber left = std::min(kVerifiedAtOnce, end - next); left > 0; --left)
      get.push_back(key_of(next++));
    LEITONG_ASSIGN(const std::vector<RedisReply> rows, link_->ask({get}));
    LEITONG_TRY(verify_page(rows[0].list));
  }

  const auto verify_lists = [&](std::string_view prefix, std::string_view what,
                                const auto& counted) -> Result<void> {
    std::vector<RedisCommand> commands;
    std::vector<std::int64_t> expected;
    const auto compare = [&]() -> Result<void> {
      LEITONG_ASSIGN(const std::vector<RedisReply> lengths, link_->ask(std::exchange(commands, {})));
      for (std::size_t i = 0; i < lengths.size(); ++i)
        if (lengths[i].integer != expected[i])
          return damaged(
              fmt::format("the list of {} has {} texts of {}", what, lengths[i].integer, expected[i]));
      expected.clear();
      return {};
    };
    for (const auto& [slot, count] : counted) {
      commands.push_back({"LLEN", link_->key(prefix) + key_of(slot)});
      expected.push_back(count);
      if (commands.size() == kVerifiedAtOnce) LEITONG_TRY(compare());
    }
    return commands.empty() ? Result<void>{} : compare();
  };
  LEITONG_TRY(verify_lists("c:", "the copies of a text", lists.copies));
  LEITONG_TRY(verify_lists("m:", "a family", lists.members));

  LEITONG_ASSIGN(const std::vector<RedisReply> sizes, link_->ask({{"HLEN", link_->key("rows")},
                                                                  {"HLEN", link_->key("ids")},
                                                                  {"ZCARD", link_->key("expiry")}}));
  LEITONG_ASSIGN(const std::vector<std::string> counted, counts());
  std::uint64_t texts = 0;
  for (std::size_t i = 0; i < 3; ++i) texts += number_in(counted[i]).value_or(0);
  if (static_cast<std::uint64_t>(lists.rows) != texts || sizes[0].integer != lists.rows)
    return damaged(fmt::format("{} texts are there of {}", lists.rows, texts));
  if (sizes[1].integer != lists.rows)
    return damaged(fmt::format("{} ids are there for {} texts", sizes[1].integer, lists.rows));
  if (sizes[2].integer != lists.expiring)
    return damaged(fmt::format("{} texts of {} are listed that expire", sizes[2].integer, lists.expiring));
  return {};
}

}  // namespace leitong::online
