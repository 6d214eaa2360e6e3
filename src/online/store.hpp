// The durable truth of an index: its texts, and what can't be told from them. All else is made from it.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/pair.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"
#include "online/segment.hpp"

namespace leitong::online {

/// A text's row. `family` and `content` are seats: numbers of the texts that held them first. Who holds a
/// seat now is Store::holder().
struct Row {
  TextNumber family = 0;   ///< seat of the text that stands for this one
  TextNumber content = 0;  ///< seat of the first text with this content
  Verdict verdict = Verdict::fresh;
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;
  std::uint32_t text_bytes = 0;  ///< of the text before compression
  std::string id;
  std::string packed;  ///< the compressed text
};

/// What a new text adds to the postings: replayed when an index is opened, until a segment holds it.
struct LogEntry {
  TextNumber text = 0;
  TextRecord record;
  std::vector<Key> keys;
};

/// Figures that are kept, since counting would take a scan.
struct Counts {
  std::uint64_t texts = 0, fresh = 0, near = 0, exact = 0;
};

/// A file of the manifest.
struct SegmentName {
  std::uint32_t number = 0;
  std::uint32_t tier = 0;  ///< how often its postings were merged
};
[[nodiscard]] std::filesystem::path segment_path(const std::filesystem::path& place, const SegmentName& name);

/// Changes that are committed together. Later ones of the same thing win.
class Change {
 public:
  void put_row(TextNumber text, const Row& row);
  void erase_row(TextNumber text);
  void put_id(std::string_view id, TextNumber text);
  void erase_id(std::string_view id);
  /// A text that isn't its family's first, or one that isn't the first of its content.
  void put_member(TextNumber family, TextNumber text);
  void erase_member(TextNumber family, TextNumber text);
  void put_copy(TextNumber content, TextNumber text);
  void erase_copy(TextNumber content, TextNumber text);
  /// From now on `text` has the seat.
  void put_holder(TextNumber seat, TextNumber text);
  void erase_holder(TextNumber seat);
  void put_log(const LogEntry& entry);
  void put_removed(TextNumber text);
  void put_full(Key key);
  /// Forgets which keys are full and which texts were removed.
  void erase_derived();
  void put_counts(const Counts& counts);
  /// The segments, the oldest first, hold all texts before `next`: the log of those goes.
  void put_segments(const std::vector<SegmentName>& segments, TextNumber next);

 private:
  friend class Store;
  explicit Change(std::span<rocksdb::ColumnFamilyHandle* const> families) : families_(families) {}
  std::span<rocksdb::ColumnFamilyHandle* const> families_;
  rocksdb::WriteBatch batch_;
};

/// What an open index begins with.
struct Beginning {
  std::vector<SegmentName> segments;
  std::vector<LogEntry> log;
  std::vector<Key> full;
  std::vector<TextNumber> removed;
  Counts counts;
};

/// Column families of a RocksDB. Any number of threads may read; changes take turns. A commit returns when
/// the change is as durable as was asked for. After one that failed nothing of it is there, and the next one
/// tries again.
class Store {
 public:
  /// `place`: a folder; empty: in memory. Makes it if it is missing, with `scheme` as the maker of the keys.
  /// Fails with invalid_argument where an existing one has another scheme.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& place, const Settings& settings,
                                             const SchemeId& scheme);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// False if there is no such text.
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const;
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view id) const;
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat) const;
  /// The earliest one.
  [[nodiscard]] Result<std::optional<TextNumber>> first_member(TextNumber family) const;
  [[nodiscard]] Result<std::optional<TextNumber>> first_copy(TextNumber content) const;
  /// All texts, in the order of their numbers.
  Result<void> for_each(const std::function<Result<void>(TextNumber, const Row&)>& each) const;
  [[nodiscard]] Result<Beginning> begin() const;

  [[nodiscard]] Change change() const { return Change(families_); }
  Result<void> commit(Change& change);

  /// Reads everything, comparing checksums.
  Result<void> verify() const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  Store(std::filesystem::path place, Durability durability)
      : place_(std::move(place)), durability_(durability) {}
  [[nodiscard]] tl::unexpected<Error> failed(const rocksdb::Status& status) const;
  Result<void> check_scheme(const SchemeId& scheme, bool create);
  [[nodiscard]] Result<std::optional<TextNumber>> first_link(unsigned family, TextNumber seat) const;
  void sync_every_second();

  std::filesystem::path place_;
  Durability durability_;
  std::unique_ptr<rocksdb::Env> memory_;  // where everything lies without a folder
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  std::mutex committing_;
  bool must_resume_ = false;

  std::mutex sync_mutex_;
  std::condition_variable sync_stop_;
  bool stopping_ = false;
  std::thread sync_thread_;
};

}  // namespace leitong::online
