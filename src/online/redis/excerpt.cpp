#include "online/redis/excerpt.hpp"

#include <algorithm>
#include <cstring>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// The most keys and rows of one command: others wait meanwhile, about a millisecond.
constexpr std::size_t kInCommand = 1024, kRowsInCommand = 256;
constexpr std::size_t kNumberBytes = sizeof(TextNumber), kPostingBytes = kRedisRestBytes + kNumberBytes;
// The number of commands that precede the requests.
constexpr std::size_t kFirstCommands = 3;

/// A sequence in parts of this size, the last of which may be smaller.
template <class T>
std::vector<std::span<const T>> parts_of(const std::vector<T>& all, std::size_t size) {
  std::vector<std::span<const T>> parts;
  for (std::size_t first = 0; first < all.size(); first += size)
    parts.push_back(std::span(all).subspan(first, std::min(size, all.size() - first)));
  return parts;
}

/// A bucket, and the first and the number of the keys that it may hold.
struct Bucket {
  unsigned level;
  std::size_t first, count;
};
/// The buckets of all levels up to this one that may hold some of the keys. REQUIRES sorted keys.
std::vector<Bucket> buckets_of(std::span<const Key> keys, unsigned last_level) {
  std::vector<Bucket> buckets;
  for (unsigned level = 0; level <= last_level; ++level)
    for (std::size_t first = 0, end = 0; first < keys.size(); first = end) {
      const std::uint32_t bucket = RedisLevels::bucket(keys[first], level);
      while (end < keys.size() && RedisLevels::bucket(keys[end], level) == bucket) ++end;
      buckets.push_back({level, first, end - first});
    }
  return buckets;
}

template <class T>
void sort_and_join(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

TextNumber number_at(std::string_view bytes, std::size_t at) {
  return static_cast<TextNumber>(number_in_key(bytes.substr(at, kNumberBytes)));
}

/// The part of `bytes`, which begin at `from`, after the first `known` bytes: other threads may have read
/// some meanwhile.
std::string_view unknown_part(std::string_view bytes, std::uint64_t from, std::uint64_t known) {
  bytes.remove_prefix(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), known - from)));
  return bytes;
}

}  // namespace

bool RedisKnown::find_record(TextNumber text, TextRecord& record) {
  const std::scoped_lock lock(kept_mutex_);
  const std::size_t at = text % kKept;
  if (at >= kept_.size() || kept_[at].text != text) return false;
  record = kept_[at].record;
  return true;
}

void RedisKnown::forget(std::string_view now) {
  life = now;
  state = State();
  full_bytes = template_bytes = 0;
  const std::scoped_lock lock(kept_mutex_);
  kept_.clear();
}

void RedisKnown::keep_record(TextNumber text, const TextRecord& record) {
  const std::scoped_lock lock(kept_mutex_);
  const std::size_t at = text % kKept;
  if (at >= kept_.size()) kept_.resize(at + 1, Kept{});
  kept_[at] = {text, record};
}

Result<void> RedisExcerpt::Asking::find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                              const PostingTable* newest, PostingLists& lists) const {
  lists.texts.clear();
  lists.ends.clear();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = lists.texts.size();
    const auto take = [&](std::span<const TextNumber> texts) {
      for (const TextNumber text : texts)
        if (lists.texts.size() - begin < most[k]) lists.texts.push_back(text);
    };
    if (const auto found = excerpt_.lists_.find(keys[k]); found != excerpt_.lists_.end())
      take(std::span<const TextNumber>(excerpt_.numbers_).subspan(found->second.begin, found->second.count));
    else
      wants_.keys.push_back(keys[k]);
    if (newest != nullptr) take(newest->find(keys[k]));
    lists.ends.push_back(lists.texts.size());
  }
  return {};
}

Result<TextRecord> RedisExcerpt::Asking::record(TextNumber text) const {
  if (const auto found = excerpt_.records_.find(text); found != excerpt_.records_.end()) return found->second;
  TextRecord record;
  if (!excerpt_.known_.find_record(text, record)) wants_.records.push_back(text);
  return record;
}

Result<bool> RedisExcerpt::Asking::read(TextNumber text, Row& row) const {
  const auto found = excerpt_.rows_.find(text);
  if (found == excerpt_.rows_.end()) {
    wants_.rows.push_back(text);
    return false;
  }
  if (found->second.empty()) return false;
  if (!unpack_redis_row(found->second, 0, row)) return excerpt_.link_.not_understood("a row");
  return true;
}

Result<std::optional<TextNumber>> RedisExcerpt::Asking::find(std::string_view id) const {
  std::string name(id);
  if (const auto found = excerpt_.ids_.find(name); found != excerpt_.ids_.end()) return found->second;
  wants_.ids.push_back(std::move(name));
  return std::nullopt;
}

Result<TextNumber> RedisExcerpt::Asking::representative(TextNumber slot) const {
  if (const auto found = excerpt_.representatives_.find(slot); found != excerpt_.representatives_.end())
    return found->second;
  wants_.slots.push_back(slot);
  return slot;
}

bool RedisExcerpt::Asking::lacked() {
  if (wants_.empty()) return false;
  const std::scoped_lock lock(excerpt_.mutex_);
  const auto add = [&](auto Wants::*kind) {
    auto& all = excerpt_.wants_.*kind;
    auto& mine = wants_.*kind;
    all.insert(all.end(), std::make_move_iterator(mine.begin()), std::make_move_iterator(mine.end()));
  };
  add(&Wants::keys);
  add(&Wants::records);
  add(&Wants::rows);
  add(&Wants::slots);
  add(&Wants::ids);
  wants_ = {};
  return true;
}

void RedisExcerpt::Wants::sort_out() {
  sort_and_join(keys);
  sort_and_join(records);
  sort_and_join(rows);
  sort_and_join(slots);
  sort_and_join(ids);
}

RedisExcerpt::RedisExcerpt(RedisLink& link, RedisKnown& known, std::string history)
    : link_(link), known_(known), history_(std::move(history)), level_(known.level) {}

void RedisExcerpt::want(std::span<const Key> keys, std::string_view id) {
  wants_.keys.insert(wants_.keys.end(), keys.begin(), keys.end());
  if (!id.empty()) wants_.ids.emplace_back(id);
}

Result<bool> RedisExcerpt::fetch() {
  if (wants_.empty()) return false;
  LEITONG_ASSIGN(std::vector<RedisReply> replies, link_.ask(commands()));
  LEITONG_TRY(take(replies));
  return true;
}

// The first command reads the present moment, so that later additions have higher numbers.
std::vector<RedisCommand> RedisExcerpt::commands() {
  asked_ = std::exchange(wants_, {});
  asked_.sort_out();
  {
    const std::shared_lock lock(known_.mutex);
    known_life_ = known_.life;
    full_from_ = known_.full_bytes;
    templates_from_ = known_.template_bytes;
  }
  const auto key = [&](std::string_view what) { return link_.key(what); };
  RedisCommand moment = link_.function("moment", true);
  moment.push_back(history_);
  std::vector<RedisCommand> commands = {
      moment,
      {"GETRANGE", key("full"), std::to_string(full_from_), "-1"},
      {"GETRANGE", key("templates"), std::to_string(templates_from_), "-1"}};
  const std::string bucket = key("p:");
  for (const std::span<const Key> keys : parts_of(asked_.keys, kInCommand)) {
    RedisCommand& command = commands.emplace_back(RedisCommand{"MGET"});
    for (const auto& [level, first, count] : buckets_of(keys, level_))
      command.push_back(bucket + RedisLevels::name(keys[first], level));
  }
  const auto get = [&](std::string_view hash, const std::vector<TextNumber>& fields, std::size_t size) {
    for (const std::span<const TextNumber> part : parts_of(fields, size)) {
      RedisCommand& command = commands.emplace_back(RedisCommand{"HMGET", key(hash)});
      for (const TextNumber field : part) command.push_back(key_of(field));
    }
  };
  for (const std::span<const TextNumber> part : parts_of(asked_.records, kInCommand)) {
    RedisCommand& command = commands.emplace_back(link_.function("records", true));
    std::string& numbers = command.emplace_back();
    for (const TextNumber number : part) append_key(number, numbers);
  }
  get("rows", asked_.rows, kRowsInCommand);
  get("holders", asked_.slots, kInCommand);
  for (const std::span<const std::string> part : parts_of(asked_.ids, kInCommand)) {
    RedisCommand& command = commands.emplace_back(RedisCommand{"HMGET", key("ids")});
    command.insert(command.end(), part.begin(), part.end());
  }
  // If this reply equals the first one, the same held at every moment between them.
  commands.push_back(std::move(moment));
  return commands;
}

Result<void> RedisExcerpt::take(std::span<RedisReply> replies) {
  const Wants asked = std::exchange(asked_, {});
  if (replies.size() <= kFirstCommands) return link_.not_understood("an excerpt");
  LEITONG_TRY(take_moment(replies.front()));
  LEITONG_TRY(take_moment(replies.back()));
  LEITONG_TRY(take_known(replies[1].text, replies[2].text));
  if (stale_) return {};
  std::size_t at = kFirstCommands;
  const auto list_of = [&](std::size_t size) -> Result<std::span<RedisReply>> {
    if (at + 1 >= replies.size() || replies[at].list.size() != size)
      return link_.not_understood("an excerpt");
    return std::span<RedisReply>(replies[at++].list);
  };
  for (const std::span<const Key> keys : parts_of(asked.keys, kInCommand)) {
    const std::vector<Bucket> buckets = buckets_of(keys, level_);
    LEITONG_ASSIGN(const std::span<RedisReply> lists, list_of(buckets.size()));
    std::vector<Posted> posted;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const auto [level, first, count] = buckets[b];
      LEITONG_TRY(take_bucket(keys.subspan(first, count), first, level, lists[b].text, posted));
    }
    // Numbers rise from level to level.
    if (level_ > 0) std::ranges::stable_sort(posted, {}, &Posted::key);
    for (const Key key : keys) lists_[key] = {};
    for (std::size_t i = 0, end = 0; i < posted.size(); i = end) {
      const std::size_t begin = numbers_.size();
      for (; end < posted.size() && posted[end].key == posted[i].key; ++end)
        numbers_.push_back(posted[end].text);
      lists_[keys[posted[i].key]] = {begin, end - i};
    }
  }
  for (const std::span<const TextNumber> texts : parts_of(asked.records, kInCommand)) {
    if (at + 1 >= replies.size()) return link_.not_understood("records");
    LEITONG_TRY(take_records(texts, replies[at++].text));
  }
  for (const std::span<const TextNumber> texts : parts_of(asked.rows, kRowsInCommand)) {
    LEITONG_ASSIGN(const std::span<RedisReply> rows, list_of(texts.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows_[texts[i]] = std::move(rows[i].text);
  }
  for (const std::span<const TextNumber> slots : parts_of(asked.slots, kInCommand)) {
    LEITONG_ASSIGN(const std::span<RedisReply> representatives, list_of(slots.size()));
    for (std::size_t i = 0; i < representatives.size(); ++i) {
      const std::string& number = representatives[i].text;
      if (!number.empty() && number.size() != kNumberBytes) return link_.not_understood("who has a slot");
      representatives_[slots[i]] = number.empty() ? slots[i] : number_at(number, 0);
    }
  }
  for (const std::span<const std::string> ids : parts_of(asked.ids, kInCommand)) {
    LEITONG_ASSIGN(const std::span<RedisReply> numbers, list_of(ids.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string& number = numbers[i].text;
      if (!number.empty() && number.size() != kNumberBytes)
        return link_.not_understood("the number of an id");
      // A later text is not visible. A client that adds a text with its id learns this when it sends the
      // batch.
      const bool there = !number.empty() && number_at(number, 0) < next_;
      ids_[ids[i]] = there ? std::optional<TextNumber>(number_at(number, 0)) : std::nullopt;
    }
  }
  return {};
}

Result<void> RedisExcerpt::take_moment(const RedisReply& moment) {
  if (moment.list.size() != 3) return link_.not_understood("an excerpt");
  if (!epoch_.empty()) {
    stale_ = stale_ || moment.list[1].text != epoch_;
    return {};
  }
  const auto next = number_in(moment.list[2].text);
  if (!next || *next > UINT32_MAX || moment.list[0].text.empty() || moment.list[1].text.empty())
    return link_.not_understood("the next number");
  changes_ = moment.list[0].text;
  epoch_ = moment.list[1].text;
  next_ = static_cast<TextNumber>(*next);
  if (const unsigned level = known_.levels.level(next_); level != level_) {
    known_.level = level;
    stale_ = true;
  }
  return {};
}

// The life of the server, which follows the number of removals, as in text_functions.cpp.
std::string_view RedisExcerpt::life() const {
  return std::string_view(epoch_).substr(std::min(epoch_.find(' '), epoch_.size()));
}

// Takes the bytes that `full` and `templates` got since the client's last request.
Result<void> RedisExcerpt::take_known(std::string_view full, std::string_view templates) {
  if (full.empty() && templates.empty()) {
    const std::shared_lock lock(known_.mutex);
    if (known_.life == life()) return {};
  }
  const std::unique_lock lock(known_.mutex);
  if (known_.life != life()) known_.forget(life());
  // These bytes do not follow those that are known.
  if (full_from_ > known_.full_bytes || templates_from_ > known_.template_bytes ||
      (known_life_ != life() && full_from_ + templates_from_ > 0)) {
    stale_ = true;
    return {};
  }
  full = unknown_part(full, full_from_, known_.full_bytes);
  templates = unknown_part(templates, templates_from_, known_.template_bytes);
  if (full.size() % kRedisKeyBytes != 0) return link_.not_understood("the full keys");
  known_.full_bytes += full.size();
  for (; !full.empty(); full.remove_prefix(kRedisKeyBytes)) {
    Key key = 0;
    __builtin_memcpy(&key, full.data(), kRedisKeyBytes);
    known_.state.full.insert(key);
  }
  known_.template_bytes += templates.size();
  if (!known_.state.templates.take(templates, known_.state.templates_version))
    return link_.not_understood("what is known of templates");
  return {};
}

// Numbers rise in a bucket, so later postings are at its end.
Result<void> RedisExcerpt::take_bucket(std::span<const Key> keys, std::size_t first_key, unsigned level,
                                       std::string_view bytes, std::vector<Posted>& posted) {
  std::size_t seen = bytes.size() / kPostingBytes;
  while (seen > 0 && number_at(bytes, (seen - 1) * kPostingBytes + kRedisRestBytes) >= next_) --seen;
  const std::size_t seen_bytes = seen * kPostingBytes;
  if (bytes.size() % kPostingBytes != 0 || seen_bytes > UINT32_MAX) return link_.not_understood("postings");
  if (level == level_)
    seen_bytes_[RedisLevels::bucket(keys[0], level)] = static_cast<std::uint32_t>(seen_bytes);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string rest = key_of(redis_rest_of(keys[k]));
    for (std::size_t at = 0; at < seen_bytes; at += kPostingBytes) {
      if (std::memcmp(bytes.data() + at, rest.data(), kRedisRestBytes) != 0) continue;
      const TextNumber number = number_at(bytes, at + kRedisRestBytes);
      if (number >= next_) return link_.not_understood("the number of a text");
      posted.push_back({first_key + k, number});
    }
  }
  return {};
}

bool RedisExcerpt::follow(const Delta& delta, TextNumber first) {
  const auto changes = number_in(changes_);
  const auto added = static_cast<TextNumber>(delta.texts.size());
  if (first != next_ || delta.first != next_ || !changes ||
      known_.levels.level(std::uint64_t{next_} + added) != level_)
    return false;
  for (const LogEntry& entry : delta.log)
    for (const Key key : entry.keys) {
      const auto seen = seen_bytes_.find(RedisLevels::bucket(key, level_));
      if (seen == seen_bytes_.end()) continue;
      seen->second += kPostingBytes;
      const auto found = lists_.find(key);
      if (found == lists_.end()) continue;
      List& list = found->second;
      const std::size_t begin = numbers_.size();
      for (std::size_t i = 0; i < list.count; ++i) numbers_.push_back(TextNumber{numbers_[list.begin + i]});
      numbers_.push_back(entry.text);
      list = {begin, list.count + 1};
    }
  for (const LogEntry& entry : delta.log)
    if (const auto id = ids_.find(delta.texts[entry.text - first].row.id); id != ids_.end())
      id->second = entry.text;
  next_ += added;
  changes_ = std::to_string(*changes + 1);
  return true;
}

Result<void> RedisExcerpt::take_records(std::span<const TextNumber> texts, std::string_view bytes) {
  for (const TextNumber text : texts) {
    TextRecord record;
    if (!take_value(bytes, record)) return link_.not_understood("records");
    records_[text] = record;
    known_.keep_record(text, record);
  }
  return {};
}

}  // namespace leitong::online
