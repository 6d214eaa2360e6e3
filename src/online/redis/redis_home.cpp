#include "online/redis/redis_home.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "online/redis/number_in.hpp"
#include "online/redis/row_bytes.hpp"
#include "online/text_codec.hpp"
#include "similarity/passages.hpp"

namespace leitong::online {
namespace {

// Rows that are read at once.
constexpr std::uint32_t kRowsAtOnce = 256;
constexpr std::string_view kNoSources =
    "an index on Redis shows texts as they come; sources that are shown at once need an index in a folder";
constexpr std::string_view kNoVersions =
    "an index on Redis counts no versions and lists no changes; these need an index in a folder";

}  // namespace

RedisHome::RedisHome(const Context& context, std::unique_ptr<RedisLink> link,
                     std::unique_ptr<IndexScheme> scheme)
    : context_(context), link_(std::move(link)), scheme_(std::move(scheme)) {}

Result<void> RedisHome::prepare(std::span<CheckedText* const> texts, const Secret& secret, bool to_be_added) {
  return on_threads(context_, [&] {
    return parallel_for_each(
        stop(), texts.size(), [&] { return ScratchPool::Lease(scratches_); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) -> Result<void> {
          prepare_text(*scheme_, secret, to_be_added, *texts[i], *scratch);
          return {};
        });
  });
}

Result<std::vector<CheckedText>> RedisHome::prepared(std::span<const Text> texts, const Secret& secret,
                                                     Look look, bool to_be_added) {
  std::vector<CheckedText> checked;
  for (const Text& text : texts) checked.push_back(checked_of(text, look));
  std::vector<CheckedText*> all;
  for (CheckedText& text : checked) all.push_back(&text);
  LEITONG_TRY(prepare(all, secret, to_be_added));
  return checked;
}

Result<Stored> RedisHome::stored_in(const RedisReply& reply) const {
  Row row;
  if (reply.list.size() != 3 || !unpack_redis_row(reply.list[1].text, scheme_->maker().bits / 8, row))
    return link_->not_understood("a row");
  Stored stored{row.id, {}, row.verdict, {}, row.source, row.time, row.expires};
  if (row.stamp) stored.fingerprint = row.stamp->fingerprint;
  if (!row.packed.empty()) LEITONG_TRY(TextCodec().unpack(row.packed, row.text_bytes, stored.text));
  if (!reply.list[2].text.empty()) stored.family = reply.list[2].text;
  return stored;
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

Result<std::optional<Stored>> RedisHome::get(std::string_view id) {
  const std::string name(id);
  LEITONG_ASSIGN(std::vector<std::optional<Stored>> texts, get_all({&name, 1}));
  return std::move(texts[0]);
}

Result<void> RedisHome::add_passages(std::span<const Text> texts, std::span<Answer> answers) {
  struct Asked {
    std::size_t text;
    Match* match;
  };
  std::vector<Asked> wanted;
  std::vector<std::string> ids;
  const auto want = [&](std::size_t text, Match& match) {
    wanted.push_back({text, &match});
    ids.push_back(match.id);
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].match && !answers[i].known) want(i, *answers[i].match);
    for (Match& other : answers[i].others) want(i, other);
  }
  LEITONG_ASSIGN(const std::vector<std::optional<Stored>> matches, get_all(ids));
  return on_threads(context_, [&] {
    return parallel_for_each(stop(), wanted.size(), [&](std::size_t i) -> Result<void> {
      if (matches[i])
        wanted[i].match->passages = shared_passages(texts[wanted[i].text].text, matches[i]->text).passages;
      return {};
    });
  });
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

tl::unexpected<Error> RedisHome::not_here(std::string_view what) const {
  return fail(ErrorCode::unsupported, fmt::format("{}: {}", link_->address().shown(), what));
}
Result<void> RedisHome::expects_none(ExpectedVersion expected) const {
  return expected ? not_here(kNoVersions) : Result<void>{};
}
Result<Changes> RedisHome::changes(std::string_view, const ChangesWanted&) { return not_here(kNoVersions); }
Result<bool> RedisHome::begin(std::string_view) { return not_here(kNoSources); }
Result<Committed> RedisHome::commit(std::string_view) { return not_here(kNoSources); }
Result<void> RedisHome::rollback(std::string_view) { return not_here(kNoSources); }
Result<void> RedisHome::snapshot(const std::filesystem::path&) {
  return not_here("copies of an index on Redis are the server's affair (BGSAVE); its texts can be exported");
}

}  // namespace leitong::online
