// What a batch needs of an index that lies on a Redis server, as it was at one moment: what came later isn't
// seen. What isn't here yet is noted when it is asked for; fetch() gets all of that at once, and those texts
// are worked out again that lacked something.
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
#include "online/rows.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// What a client knows of an index beside the texts: which keys are full, and what was learned of templates.
/// Both only grow, and each excerpt brings what came since. And records of texts, which never change, unless
/// the server loses writes.
struct RedisKnown {
  RedisLevels levels;
  std::atomic<unsigned> level = 0;  ///< the one to which texts were posted lately

  std::shared_mutex mutex;  ///< of what follows
  std::string life;         ///< of the server, of which all of this is
  State state;
  std::uint64_t full_bytes = 0, template_bytes = 0;  ///< of the server's, that are in the state

  /// All of it, since the server lives another life now. REQUIRES the mutex, alone.
  void forget(std::string_view now);

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

class RedisExcerpt {
 public:
  RedisExcerpt(RedisLink& link, RedisKnown& known, std::string history);

  /// What one text asks for, or several; each thread has its own. REQUIRES that known.mutex is held. What is
  /// missing is answered as if it weren't there.
  class Asking;

  /// Notes keys whose texts will be asked for, and an id.
  void want(std::span<const Key> keys, std::string_view id);

  /// Gets what was asked for in vain since the last call. False if there was nothing. Fails as the link does.
  Result<bool> fetch();
  /// The same in two steps, for whoever sends other commands, too: what to send, and what came. REQUIRES that
  /// nothing is asked for in between.
  [[nodiscard]] std::vector<RedisCommand> commands();
  Result<void> take(std::span<RedisReply> replies);

  /// These texts were added, the first with this number: they are seen from here on. False if others came
  /// before them: then the excerpt is of no use. REQUIRES that what the server knows of full keys and
  /// templates was taken since.
  bool follow(const Delta& delta, TextNumber first);

  /// What was fetched isn't of one moment, since texts left or the server lost writes meanwhile, or not all
  /// of it was asked for, since texts are posted to another level now: then nothing of it is to be believed.
  [[nodiscard]] bool is_stale() const noexcept { return stale_; }

  /// Bytes, at the moment of the excerpt, of the bucket to which a key is posted. REQUIRES that it was
  /// fetched.
  [[nodiscard]] std::uint32_t seen_bytes(Key key) const {
    return seen_bytes_.at(RedisLevels::bucket(key, level_));
  }
  /// As they were at that moment.
  [[nodiscard]] const std::string& changes() const noexcept { return changes_; }
  [[nodiscard]] const std::string& epoch() const noexcept { return epoch_; }
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

    [[nodiscard]] bool empty() const noexcept {
      return keys.empty() && records.empty() && rows.empty() && seats.empty() && ids.empty();
    }
    void sort_out();
  };
  Result<void> take_moment(const RedisReply& moment);
  Result<void> take_known(std::string_view full, std::string_view templates);
  [[nodiscard]] std::string_view life() const;
  /// Texts that posted a key, as they are read from a bucket.
  struct Posted {
    std::size_t key;  ///< which of those that were asked for
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
  std::unordered_map<std::uint32_t, std::uint32_t> seen_bytes_;  // of the level's buckets
  std::unordered_map<TextNumber, TextRecord> records_;
  std::unordered_map<TextNumber, std::string> rows_;  // empty: there is none
  std::unordered_map<TextNumber, TextNumber> holders_;
  std::unordered_map<std::string, std::optional<TextNumber>> ids_;

  std::mutex mutex_;  // of what follows
  Wants wants_;
  Wants asked_;                                       // by commands() that weren't taken yet
  std::uint64_t full_from_ = 0, templates_from_ = 0;  // which of their bytes these ask for
  std::string known_life_;                            // of which these are
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
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat) const override;

  /// Was something missing? It is noted with the excerpt.
  bool lacked();

 private:
  RedisExcerpt& excerpt_;
  mutable Wants wants_;
};

}  // namespace leitong::online
