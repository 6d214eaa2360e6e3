// Removals from an index on a Redis server. The server says which texts leave and which places they have.
// This file decides which texts take these places (succession.hpp). Then the server removes the texts whose
// places are still the same.
#include "online/redis/redis_home.hpp"

#include "base/try.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::uint32_t kAtOnce = 128;
// The most rounds in which other clients were faster with all texts.
constexpr unsigned kMostTries = 50;
constexpr std::string_view kOthersWereQuicker =
    "others changed what is removed again and again; remove it once more";

}  // namespace

Result<std::vector<RedisHome::Leaving>> RedisHome::leaving(std::string_view what, std::string_view which) {
  constexpr std::size_t kNumber = sizeof(TextNumber), kPlace = 2 + 2 * kNumber;
  RedisCommand ask = link_->function("leaving", true);
  ask.insert(ask.end(), {history_, std::string(what), std::string(which), std::to_string(kAtOnce)});
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({ask}));
  const std::size_t width = scheme_->spec().bits / 8;
  std::vector<Leaving> texts;
  for (const RedisReply& reply : replies[0].list) {
    Leaving& one = texts.emplace_back();
    if (reply.list.size() != 6 || reply.list[3].text.size() != kPlace ||
        !unpack_redis_row(reply.list[2].text, width, one.row))
      return link_->not_understood("a text that leaves");
    one.id = reply.list[0].text;
    one.number = reply.list[1].text;
    one.told = reply.list[3].text;
    one.place = {one.told[0] != 0, one.told[1] != 0, one.row.other_work};
    // The numbers of the first copy and of the first other member follow; their rows are empty if there is
    // none.
    const auto first = [&](std::size_t which_one) -> Result<std::optional<std::size_t>> {
      return reply.list[4 + which_one].text.empty() ? std::nullopt : std::optional(which_one);
    };
    LEITONG_ASSIGN(const auto successor, successor_of<std::size_t>(
                                             one.place, [&] { return first(0); }, [&] { return first(1); }));
    if (!successor) continue;
    one.successor = one.told.substr(2 + successor->text * kNumber, kNumber);
    one.copy = successor->copy;
    if (!unpack_redis_row(reply.list[4 + successor->text].text, width, one.successor_row))
      return link_->not_understood("a text that takes another's place");
  }
  return texts;
}

Result<std::uint64_t> RedisHome::remove_these(std::vector<Leaving>& texts) {
  std::string full;
  LEITONG_ASSIGN(const bool current, note_postings(texts, full));
  if (!current) return 0;
  RedisCommand remove = link_->function("remove", false);
  remove.insert(remove.end(), {history_, plan_, layout_, std::move(full)});
  for (Leaving& one : texts)
    remove.insert(remove.end(), {std::move(one.id), std::move(one.number), std::move(one.told),
                                 std::move(one.successor), one.copy ? "copy" : "", std::move(one.keys),
                                 std::move(one.stamp), std::move(one.old_keys), std::move(one.new_keys)});
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({remove}));
  if (replies[0].kind != RedisReply::Kind::integer || replies[0].integer < 0)
    return link_->not_understood("how many were removed");
  return static_cast<std::uint64_t>(replies[0].integer);
}

// If texts are removed together, some whose successor was among them may remain. The next round removes
// these.
Result<std::uint64_t> RedisHome::remove(const Which& which, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  const bool by_id = which.by == Which::By::id;
  const std::string_view what = by_id ? "id" : which.by == Which::By::source ? "source" : "expired";
  const std::string value =
      which.by == Which::By::expiry ? std::to_string(which.before) : std::string(which.name);
  std::uint64_t removed = 0;
  bool seen = false;
  for (unsigned in_vain = 0; in_vain < kMostTries;) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(std::vector<Leaving> texts, leaving(what, value));
    // A text of an id that was there before was removed by another client, or the answer was lost.
    if (texts.empty()) return by_id && seen ? 1 : removed;
    seen = true;
    LEITONG_ASSIGN(const std::uint64_t these, remove_these(texts));
    removed += these;
    if (by_id && removed > 0) return removed;
    in_vain = these == 0 ? in_vain + 1 : 0;
  }
  return not_here(kOthersWereQuicker);
}

}  // namespace leitong::online
