#include "online/redis/excerpt.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "online/redis/number_in.hpp"
#include "online/redis/row_bytes.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

// Of one call: others wait meanwhile, a few milliseconds.
constexpr std::size_t kKeysInCall = 2048, kRowsInCall = 256;
constexpr unsigned kBucketBits = 18, kFieldBits = kKeyBits - kBucketBits;
constexpr std::size_t kKeyBytes = kKeyBits / 8, kNumberBytes = sizeof(TextNumber);

template <class T>
std::span<const T> part_of(const std::vector<T>& all, std::size_t part, std::size_t size) {
  const std::size_t first = std::min(all.size(), part * size);
  return {all.data() + first, std::min(size, all.size() - first)};
}

template <class T>
void sort_out(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::string keys_of(std::span<const TextNumber> numbers) {
  std::string bytes;
  for (const TextNumber number : numbers) append_key(number, bytes);
  return bytes;
}

TextNumber number_at(std::string_view bytes, std::size_t at) {
  return static_cast<TextNumber>(number_in_key(bytes.substr(at, kNumberBytes)));
}

/// What came since `from`, of which `known` bytes are known by now: others fetched it, too.
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

void RedisKnown::keep_record(TextNumber text, const TextRecord& record) {
  const std::scoped_lock lock(kept_mutex_);
  const std::size_t at = text % kKept;
  if (at >= kept_.size()) kept_.resize(at + 1, Kept{});
  kept_[at] = {text, record};
}

void append_redis_key(Key key, std::string& bytes) {
  const auto bucket = static_cast<std::uint32_t>(key >> kFieldBits);
  bytes += static_cast<char>(bucket >> 16);
  append_key(static_cast<std::uint16_t>(bucket), bytes);
  append_key(static_cast<std::uint32_t>(key & ((Key{1} << kFieldBits) - 1)), bytes);
}

RedisExcerpt::RedisExcerpt(RedisLink& link, RedisKnown& known, std::string made)
    : link_(link), known_(known), made_(std::move(made)) {}

template <class T>
void RedisExcerpt::want(std::vector<T> Wants::*kind, const T& one) const {
  const std::scoped_lock lock(mutex_);
  (wants_.*kind).push_back(one);
}

Result<void> RedisExcerpt::find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                      const PostingTable* newest, PostingLists& lists) const {
  lists.texts.clear();
  lists.ends.clear();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = lists.texts.size();
    const auto take = [&](std::span<const TextNumber> texts) {
      for (const TextNumber text : texts)
        if (lists.texts.size() - begin < most[k]) lists.texts.push_back(text);
    };
    if (const auto found = lists_.find(keys[k]); found != lists_.end())
      take(std::span<const TextNumber>(numbers_).subspan(found->second.begin, found->second.count));
    else
      want(&Wants::keys, keys[k]);
    if (newest != nullptr) take(newest->find(keys[k]));
    lists.ends.push_back(lists.texts.size());
  }
  return {};
}

Result<TextRecord> RedisExcerpt::record(TextNumber text) const {
  if (const auto found = records_.find(text); found != records_.end()) return found->second;
  TextRecord record;
  if (!known_.find_record(text, record)) want(&Wants::records, text);
  return record;
}

Result<bool> RedisExcerpt::read(TextNumber text, Row& row) const {
  const auto found = rows_.find(text);
  if (found == rows_.end()) {
    want(&Wants::rows, text);
    return false;
  }
  if (found->second.empty()) return false;
  if (!unpack_redis_row(found->second, 0, row)) return link_.not_understood("a row");
  return true;
}

Result<std::optional<TextNumber>> RedisExcerpt::find(std::string_view id) const {
  const std::string name(id);
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  want(&Wants::ids, name);
  return std::nullopt;
}

Result<TextNumber> RedisExcerpt::holder(TextNumber seat) const {
  if (const auto found = holders_.find(seat); found != holders_.end()) return found->second;
  want(&Wants::seats, seat);
  return seat;
}

std::vector<RedisCommand> RedisExcerpt::commands(const Wants& wants) const {
  std::string full, templates;
  {
    const std::shared_lock lock(known_.mutex);
    full = std::to_string(known_.full_bytes);
    templates = std::to_string(known_.template_bytes);
  }
  std::vector<RedisCommand> commands;
  const auto left = [&](const auto& kind, std::size_t size) { return kind.size() > commands.size() * size; };
  while (commands.empty() || left(wants.keys, kKeysInCall) || left(wants.records, kKeysInCall) ||
         left(wants.rows, kRowsInCall) || left(wants.seats, kKeysInCall) || left(wants.ids, kKeysInCall)) {
    const std::size_t part = commands.size();
    RedisCommand& command = commands.emplace_back(link_.function("excerpt", true));
    std::string keys;
    for (const Key key : part_of(wants.keys, part, kKeysInCall)) append_redis_key(key, keys);
    command.insert(
        command.end(),
        {made_, full, templates, keys, keys_of(part_of(wants.records, part, kKeysInCall)),
         keys_of(part_of(wants.rows, part, kRowsInCall)), keys_of(part_of(wants.seats, part, kKeysInCall))});
    const auto ids = part_of(wants.ids, part, kKeysInCall);
    command.insert(command.end(), ids.begin(), ids.end());
  }
  return commands;
}

Result<bool> RedisExcerpt::fetch() {
  Wants wants = std::exchange(wants_, {});
  sort_out(wants.keys);
  sort_out(wants.records);
  sort_out(wants.rows);
  sort_out(wants.seats);
  sort_out(wants.ids);
  if (wants.keys.empty() && wants.records.empty() && wants.rows.empty() && wants.seats.empty() &&
      wants.ids.empty())
    return false;
  const std::vector<RedisCommand> asked = commands(wants);
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask(asked));
  for (std::size_t part = 0; part < asked.size(); ++part) {
    const std::vector<RedisReply>& list = replies[part].list;
    if (list.size() != 8 || list[0].list.size() != 3) return link_.not_understood("an excerpt");
    const std::vector<RedisReply>& moment = list[0].list;
    const auto next = number_in(moment[2].text);
    if (!next || *next > UINT32_MAX) return link_.not_understood("the next number");
    if (changes_.empty()) {
      changes_ = moment[0].text;
      removals_ = moment[1].text;
    }
    next_ = std::max(next_, static_cast<TextNumber>(*next));
    LEITONG_TRY(take_known(list[1].text, list[2].text, asked[part]));
    LEITONG_TRY(take_lists(part_of(wants.keys, part, kKeysInCall), list[3].text));

    const auto records = part_of(wants.records, part, kKeysInCall);
    std::string_view bytes = list[4].text;
    for (const TextNumber text : records) {
      TextRecord record;
      if (!take(bytes, record)) return link_.not_understood("records");
      records_[text] = record;
      known_.keep_record(text, record);
    }
    const auto rows = part_of(wants.rows, part, kRowsInCall);
    if (list[5].list.size() != rows.size()) return link_.not_understood("rows");
    for (std::size_t i = 0; i < rows.size(); ++i) rows_[rows[i]] = list[5].list[i].text;
    const auto seats = part_of(wants.seats, part, kKeysInCall);
    if (list[6].text.size() != seats.size() * kNumberBytes) return link_.not_understood("seats");
    for (std::size_t i = 0; i < seats.size(); ++i)
      holders_[seats[i]] = number_at(list[6].text, i * kNumberBytes);
    const auto ids = part_of(wants.ids, part, kKeysInCall);
    if (list[7].list.size() != ids.size()) return link_.not_understood("ids");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::string& number = list[7].list[i].text;
      if (!number.empty() && number.size() != kNumberBytes)
        return link_.not_understood("the number of an id");
      ids_[ids[i]] = number.empty() ? std::nullopt : std::optional<TextNumber>(number_at(number, 0));
    }
  }
  return true;
}

// What came of `full` and `templates` since the client last asked.
Result<void> RedisExcerpt::take_known(std::string_view full, std::string_view templates,
                                      const RedisCommand& asked) {
  if (full.empty() && templates.empty()) return {};
  constexpr std::size_t kFrom = 5;  // behind the call, the function, a count, the key and `made`
  const std::unique_lock lock(known_.mutex);
  full = unknown_part(full, std::stoull(asked[kFrom]), known_.full_bytes);
  templates = unknown_part(templates, std::stoull(asked[kFrom + 1]), known_.template_bytes);
  if (full.size() % kKeyBytes != 0) return link_.not_understood("the full keys");
  known_.full_bytes += full.size();
  for (; !full.empty(); full.remove_prefix(kKeyBytes)) {
    Key key = 0;
    __builtin_memcpy(&key, full.data(), kKeyBytes);
    known_.state.full.insert(key);
  }
  known_.template_bytes += templates.size();
  while (!templates.empty()) {
    std::uint32_t shingle = 0;
    Works works = 0;
    if (!take(templates, shingle) || !take(templates, works) || works == 0 ||
        works > TemplateRule::kFamilies ||
        (known_.state.templates.works(shingle) == 0 && known_.state.templates.full()))
      return link_.not_understood("what is known of templates");
    known_.state.templates_version += works == TemplateRule::kFamilies;
    known_.state.templates.set(shingle, works);
  }
  return {};
}

Result<void> RedisExcerpt::take_lists(std::span<const Key> keys, std::string_view bytes) {
  for (const Key key : keys) {
    std::uint16_t count = 0;
    if (!take(bytes, count) || bytes.size() < count * kNumberBytes) return link_.not_understood("postings");
    List& list = lists_[key];
    list = {numbers_.size(), count};
    for (std::size_t i = 0; i < count; ++i) {
      const TextNumber number = number_at(bytes, i * kNumberBytes);
      if (number >= next_) return link_.not_understood("the number of a text");
      numbers_.push_back(number);
    }
    bytes.remove_prefix(count * kNumberBytes);
  }
  return {};
}

}  // namespace leitong::online
