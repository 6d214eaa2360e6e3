// The part of an index on a Redis server that a batch needs, at one moment: later changes are not visible.
// What is missing is noted when it is asked for; fetch() reads all of that at once, and the texts that lacked
// something are computed again.
#pragma once

#include <atomic>
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
#include "online/redis/buckets.hpp"
#include "online/redis/link.hpp"
#include "online/row.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// What a client knows of an index beside the texts: which keys are full, and what was learned of templates.
/// Both only grow, and each excerpt brings the new part. It also keeps records of texts, which never change
/// unless the server loses writes.
struct RedisKnown {
  RedisLevels levels;
  std::atomic<unsigned> level = 0;  ///< the level to which texts were last posted

  std::shared_mutex mutex;  ///< guards what follows
  std::string life;         ///< the life of the server to which all of this belongs
  State state;
  std::uint64_t full_bytes = 0, template_bytes = 0;  ///< bytes of the server's lists that are in the state

  /// Discards everything, because the server has lost writes or another one took over. REQUIRES the mutex,
  /// exclusively.
  void forget(std::string_view now);

  /// Finds a record that was read lately.
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

class RedisExcerpt {
 public:
  RedisExcerpt(RedisLink& link, RedisKnown& known, std::string history);

  /// The requests of one text or several; each thread has its own. REQUIRES that known.mutex is held. What is
  /// missing is answered as if it did not exist.
  class Asking;

  /// Notes keys whose texts will be needed, and an id.
  void want(std::span<const Key> keys, std::string_view id);

  /// Reads everything that was found missing since the last call. False if nothing was missing. Fails as the
  /// link does.
  Result<bool> fetch();
  /// The same in two steps, for callers that send other commands as well: the commands, and their replies.
  /// REQUIRES that nothing is asked for in between.
  [[nodiscard]] std::vector<RedisCommand> commands();
  Result<void> take(std::span<RedisReply> replies);

  /// Makes the added texts visible. `first` is the number of the first one. False if other texts came before
  /// them: then the excerpt is useless. REQUIRES that the server's list of full keys and templates was read
  /// since.
  bool follow(const Delta& delta, TextNumber first);

  /// True if what was read is useless: it is not of one moment, because texts were removed or the server lost
  /// writes, or it is incomplete, because texts are now posted to another level.
  [[nodiscard]] bool is_stale() const noexcept { return stale_; }

  /// The size, at the moment of the excerpt, of the bucket to which a key is posted. REQUIRES that it was
  /// read.
  [[nodiscard]] std::uint32_t seen_bytes(Key key) const {
    return seen_bytes_.at(RedisLevels::bucket(key, level_));
  }
  /// At the moment of the excerpt.
  [[nodiscard]] const std::string& changes() const noexcept { return changes_; }
  [[nodiscard]] const std::string& epoch() const noexcept { return epoch_; }
  /// Larger than all visible numbers.
  [[nodiscard]] TextNumber next() const noexcept { return next_; }

 private:
  struct List {
    std::size_t begin = 0, count = 0;
  };
  struct Wants {
    std::vector<Key> keys;
    std::vector<TextNumber> records, rows, slots;
    std::vector<std::string> ids;

    [[nodiscard]] bool empty() const noexcept {
      return keys.empty() && records.empty() && rows.empty() && slots.empty() && ids.empty();
    }
    void sort_out();
  };
  Result<void> take_moment(const RedisReply& moment);
  Result<void> take_known(std::string_view full, std::string_view templates);
  [[nodiscard]] std::string_view life() const;
  /// A posting that was read from a bucket.
  struct Posted {
    std::size_t key;  ///< index among the wanted keys
    TextNumber text;
  };
  Result<void> take_bucket(std::span<const Key> keys, std::size_t first_key, unsigned level,
                           std::string_view bytes, std::vector<Posted>& posted);
  Result<void> take_records(std::span<const TextNumber> texts, std::string_view bytes);

  RedisLink& link_;
  RedisKnown& known_;
  const std::string history_;
  const unsigned level_;
  std::string changes_, epoch_;
  TextNumber next_ = 0;
  bool stale_ = false;

  PodVector<TextNumber> numbers_;
  std::unordered_map<Key, List> lists_;
  std::unordered_map<std::uint32_t, std::uint32_t> seen_bytes_;  // by the number of the bucket in the level
  std::unordered_map<TextNumber, TextRecord> records_;
  std::unordered_map<TextNumber, std::string> rows_;  // empty: there is none
  std::unordered_map<TextNumber, TextNumber> representatives_;
  std::unordered_map<std::string, std::optional<TextNumber>> ids_;

  std::mutex mutex_;  // guards what follows
  Wants wants_;
  Wants asked_;                                       // by commands(), and not taken yet
  std::uint64_t full_from_ = 0, templates_from_ = 0;  // where the bytes that the commands ask for begin
  std::string known_life_;                            // life of the server to which they belong
};

class RedisExcerpt::Asking final : public Excerpt, public Rows {
 public:
  explicit Asking(RedisExcerpt& excerpt) : excerpt_(excerpt) {}

  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          const PostingTable* newest, PostingLists& lists) const override;
  [[nodiscard]] TextNumber texts() const override { return excerpt_.next_; }
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const override;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override;
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view id) const override;
  [[nodiscard]] Result<TextNumber> representative(TextNumber slot) const override;

  /// Was something missing? Notes it with the excerpt.
  bool lacked();

 private:
  RedisExcerpt& excerpt_;
  mutable Wants wants_;
};

}  // namespace leitong::online
