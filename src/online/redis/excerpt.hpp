// What a batch needs of an index that lies on a Redis server. What isn't here yet is noted when it is asked
// for; fetch() gets all of that at once, and the batch is worked out again.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"
#include "online/redis/link.hpp"
#include "online/rows.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// What a client knows of an index beside the texts: which keys are full, and what was learned of templates.
/// Both only grow, and each excerpt brings what came since. And records of texts, which never change.
struct RedisKnown {
  std::shared_mutex mutex;  ///< of what follows
  State state;
  std::uint64_t full_bytes = 0, template_bytes = 0;  ///< of the server's, that are in the state

  /// A record that was seen lately.
  [[nodiscard]] bool find_record(TextNumber text, TextRecord& record);
  void keep_record(TextNumber text, const TextRecord& record);

 private:
  struct Kept {
    TextNumber text = UINT32_MAX;
    TextRecord record;
  };
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // 24 MB
  std::mutex kept_mutex_;
  PodVector<Kept> kept_;  // by the low bits of the text's number
};

/// A key as the server has it: bucket and field.
void append_redis_key(Key key, std::string& bytes);

class RedisExcerpt final : public Excerpt, public Rows {
 public:
  RedisExcerpt(RedisLink& link, RedisKnown& known, std::string made);

  // What is asked for by whoever works something out; any number of threads at once, but beside fetch().
  // REQUIRES that known.mutex is held. What is missing is answered as if it weren't there.
  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          const PostingTable* newest, PostingLists& lists) const override;
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const override;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override;
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view id) const override;
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat) const override;

  /// Gets what was asked for in vain since the last call. False if there was nothing. Fails as the link does.
  Result<bool> fetch();

  /// Texts of a key on the server. REQUIRES that it was fetched.
  [[nodiscard]] std::size_t length(Key key) const { return lists_.at(key).count; }
  /// As the first fetch() saw them.
  [[nodiscard]] const std::string& changes() const noexcept { return changes_; }
  [[nodiscard]] const std::string& removals() const noexcept { return removals_; }
  /// Larger than all numbers that are here.
  [[nodiscard]] TextNumber next() const noexcept { return next_; }

 private:
  struct List {
    std::size_t begin = 0, count = 0;
  };
  struct Wants {
    std::vector<Key> keys;
    std::vector<TextNumber> records, rows, seats;
    std::vector<std::string> ids;
  };
  template <class T>
  void want(std::vector<T> Wants::*kind, const T& one) const;
  [[nodiscard]] std::vector<RedisCommand> commands(const Wants& wants) const;
  Result<void> take_known(std::string_view full, std::string_view templates, const RedisCommand& asked);
  Result<void> take_lists(std::span<const Key> keys, std::string_view bytes);

  RedisLink& link_;
  RedisKnown& known_;
  const std::string made_;
  std::string changes_, removals_;
  TextNumber next_ = 0;

  PodVector<TextNumber> numbers_;
  std::unordered_map<Key, List> lists_;
  std::unordered_map<TextNumber, TextRecord> records_;
  std::unordered_map<TextNumber, std::string> rows_;  // empty: there is none
  std::unordered_map<TextNumber, TextNumber> holders_;
  std::unordered_map<std::string, std::optional<TextNumber>> ids_;

  mutable std::mutex mutex_;  // of what follows
  mutable Wants wants_;
};

}  // namespace leitong::online
