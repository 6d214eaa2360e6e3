// What texts that leave an index on a Redis server have posted, and what their successors post.
#include "base/try.hpp"
#include "online/redis/row_bytes.hpp"
#include "online/redis/texts.hpp"

namespace leitong::online {
namespace {

std::string keys_of(const TextKeys& text, bool posts) {
  std::string keys;
  append_redis_key(text.content, keys);
  if (!posts) return keys;
  if (text.set) append_redis_key(*text.set, keys);
  for (std::size_t t = 0; t < kTiers; ++t)
    for (const Key key : text.tried(t)) append_redis_key(key, keys);
  return keys;
}

}  // namespace

Result<bool> RedisTexts::note_postings(std::vector<Leaving>& leaving, std::string& full) {
  const ScratchPool::Lease scratch(scratches_);
  TextCodec& codec = (*scratch).codec;
  std::vector<std::string> texts(leaving.size());
  std::vector<CheckedText> checked(leaving.size());  // the successors
  std::vector<CheckedText*> successors;
  CheckedText text;
  std::string bytes;
  for (std::size_t i = 0; i < leaving.size(); ++i) {
    Leaving& one = leaving[i];
    if (one.place.holds) {
      LEITONG_TRY(codec.unpack(one.row.packed, one.row.text_bytes, bytes));
      text.text = bytes;
      scheme_->prepare(secret_, text, *scratch);
      one.keys = keys_of(text.keys, one.place.found());
    }
    if (one.successor.empty()) continue;
    LEITONG_TRY(codec.unpack(one.successor_row.packed, one.successor_row.text_bytes, texts[i]));
    checked[i].text = texts[i];
    checked[i].look = Look::copies;
    scheme_->prepare(secret_, checked[i], *scratch);
    // The keys under its old number.
    if (!one.copy) one.old_keys = keys_of(checked[i].keys, one.successor_row.other_work);
    const Place before{true, false, one.successor_row.other_work};
    one.successor_row.other_work = place_after(one.place, before, one.copy).other_work;
    one.stamp = stamp_bytes(one.successor_row, scheme_->record(checked[i]));
    successors.push_back(&checked[i]);
  }
  RedisExcerpt excerpt(*link_, known_, history_);
  LEITONG_TRY(check_all(excerpt, successors, false));
  const auto post_again = [&](const RedisExcerpt::Asking& asking) -> Result<void> {
    Delta delta;
    const View view{known_.state, &delta, &asking};
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      Leaving& one = leaving[i];
      if (one.successor.empty()) continue;
      LogEntry entry{0, scheme_->record(checked[i]), {}};
      const bool posts = one.place.stands || one.successor_row.other_work;
      LEITONG_TRY(scheme_->post(checked[i], posts, view, delta, entry));
      one.new_keys.clear();
      for (const Key key : entry.keys) append_redis_key(key, one.new_keys);
    }
    full.clear();
    for (const Key key : delta.full) full.append(value_bytes(key).substr(0, kKeyBits / 8));
    return {};
  };
  LEITONG_TRY(with_all(excerpt, post_again));
  return !excerpt.is_stale();
}

}  // namespace leitong::online
