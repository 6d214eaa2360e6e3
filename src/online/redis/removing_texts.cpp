// Removals from an index of texts on a Redis server. The server says which texts leave and which take their
// places. The client makes the keys of these, and the server removes those texts for which the same still
// holds.
#include <algorithm>

#include "base/try.hpp"
#include "online/redis/row_bytes.hpp"
#include "online/redis/texts.hpp"

namespace leitong::online {
namespace {

constexpr std::uint32_t kAtOnce = 128;
// The most rounds in which other clients were faster with all texts.
constexpr unsigned kTries = 50;
constexpr std::string_view kOthersWereQuicker =
    "others changed what is removed again and again; remove it once more";

std::string keys_of(const TextKeys& text, bool posts) {
  std::string keys;
  append_redis_key(text.content, keys);
  if (!posts) return keys;
  if (text.set) append_redis_key(*text.set, keys);
  for (std::size_t t = 0; t < kTiers; ++t) {
    const std::size_t walked =
        std::min<std::size_t>(text.keys[t].size(), std::max(kWalk, text.quota[t].look_up));
    for (std::size_t k = 0; k < walked; ++k) append_redis_key(text.keys[t][k], keys);
  }
  return keys;
}

}  // namespace

struct RedisTexts::Leaving {
  std::string id, number, successor;
  Row row, successor_row;
  /// Holds its content; represents its family; the successor is a copy.
  bool holds = false, stands = false, copy = false;
  std::string text, successor_text;
  CheckedText successor_checked;  ///< if there is a successor
};

Result<std::vector<RedisTexts::Leaving>> RedisTexts::leaving(std::string_view what, std::string_view which) {
  RedisCommand ask = link_->function("leaving", true);
  ask.insert(ask.end(), {history_, std::string(what), std::string(which), std::to_string(kAtOnce)});
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({ask}));
  std::vector<Leaving> texts;
  TextCodec codec;
  for (const RedisReply& reply : replies[0].list) {
    Leaving& one = texts.emplace_back();
    if (reply.list.size() != 6 || reply.list[3].text.size() != 3 ||
        !unpack_redis_row(reply.list[2].text, 0, one.row))
      return link_->not_understood("a text that leaves");
    one.id = reply.list[0].text;
    one.number = reply.list[1].text;
    one.holds = reply.list[3].text[0] != 0;
    one.stands = reply.list[3].text[1] != 0;
    one.copy = reply.list[3].text[2] != 0;
    one.successor = reply.list[4].text;
    LEITONG_TRY(codec.unpack(one.row.packed, one.row.text_bytes, one.text));
    if (one.successor.empty()) continue;
    if (!unpack_redis_row(reply.list[5].text, 0, one.successor_row))
      return link_->not_understood("a text that takes another's place");
    LEITONG_TRY(codec.unpack(one.successor_row.packed, one.successor_row.text_bytes, one.successor_text));
  }
  return texts;
}

Result<std::uint64_t> RedisTexts::remove_these(std::vector<Leaving>& leaving) {
  const ScratchPool::Lease scratch(scratches_);
  std::vector<CheckedText*> successors;
  for (Leaving& one : leaving) {
    if (one.successor.empty()) continue;
    one.successor_checked.text = one.successor_text;
    one.successor_checked.look = Look::copies;
    scheme_->prepare(secret_, one.successor_checked, *scratch);
    successors.push_back(&one.successor_checked);
  }
  RedisExcerpt excerpt(*link_, known_, history_);
  RedisCommand remove;
  LEITONG_TRY(check_all(excerpt, successors, false));
  const auto work = [&](const RedisExcerpt::Asking& asking) -> Result<void> {
    Delta delta;
    const View view{known_.state, &delta, &asking};
    std::vector<std::string> parts;
    CheckedText text;
    for (Leaving& one : leaving) {
      std::string keys, stamp, old_keys, new_keys;
      if (one.holds) {
        text.text = one.text;
        scheme_->prepare(secret_, text, *scratch);
        keys = keys_of(text.keys, one.stands || one.row.other_work);
      }
      if (!one.successor.empty()) {
        Row& successor = one.successor_row;
        const CheckedText& checked = one.successor_checked;
        const TextRecord record = scheme_->record(checked);
        if (!one.copy) old_keys = keys_of(checked.keys, successor.other_work);
        // A copy posts what the text posted whose place it takes.
        if (one.copy) successor.other_work = one.row.other_work;
        stamp = stamp_bytes(successor, record);
        LogEntry entry{0, record, {}};
        LEITONG_TRY(scheme_->post(checked, one.stands || successor.other_work, view, delta, entry));
        for (const Key key : entry.keys) append_redis_key(key, new_keys);
      }
      parts.insert(parts.end(), {one.id, one.number, one.successor, std::move(keys), std::move(stamp),
                                 std::move(old_keys), std::move(new_keys)});
    }
    std::string full;
    for (const Key key : delta.full) full.append(bytes_of(key).substr(0, kKeyBits / 8));
    remove = link_->function("remove_texts", false);
    remove.insert(remove.end(), {history_, std::move(full)});
    remove.insert(remove.end(), parts.begin(), parts.end());
    return {};
  };
  LEITONG_TRY(with_all(excerpt, work));
  if (excerpt.is_stale()) return 0;
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({remove}));
  if (replies[0].kind != RedisReply::Kind::integer || replies[0].integer < 0)
    return link_->not_understood("how many were removed");
  return static_cast<std::uint64_t>(replies[0].integer);
}

// Of texts that are removed together, those may be left whose successor was among them. The next round
// removes them.
Result<std::uint64_t> RedisTexts::remove_all(std::string_view what, std::string_view which) {
  std::uint64_t removed = 0;
  for (unsigned in_vain = 0; in_vain < kTries;) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(std::vector<Leaving> texts, leaving(what, which));
    if (texts.empty()) return removed;
    LEITONG_ASSIGN(const std::uint64_t these, remove_these(texts));
    removed += these;
    in_vain = these == 0 ? in_vain + 1 : 0;
  }
  return not_here(kOthersWereQuicker);
}

Result<bool> RedisTexts::remove(std::string_view id, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  for (unsigned tries = 0; tries < kTries; ++tries) {
    LEITONG_ASSIGN(std::vector<Leaving> texts, leaving("id", id));
    // It existed before. Another client was faster; it is removed.
    if (texts.empty()) return tries > 0;
    LEITONG_ASSIGN(const std::uint64_t removed, remove_these(texts));
    if (removed > 0) return true;
  }
  return not_here(kOthersWereQuicker);
}
Result<std::uint64_t> RedisTexts::remove_source(std::string_view source) {
  return remove_all("source", source);
}
Result<std::uint64_t> RedisTexts::expire(Seconds before) {
  return remove_all("expired", std::to_string(before));
}

}  // namespace leitong::online
