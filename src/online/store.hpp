// The durable truth of an index: its texts, and what can't be told from them. All else is made from it.
#pragma once

#include <rocksdb/write_batch.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/siphash.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/bulk_rows.hpp"
#include "online/database.hpp"
#include "online/maker.hpp"
#include "online/row.hpp"
#include "online/rows.hpp"
#include "online/segment.hpp"
#include "online/template_table.hpp"

namespace leitong::online {

/// What a new text adds to the postings: replayed when an index is opened, until a segment holds it.
struct LogEntry {
  TextNumber text = 0;
  TextRecord record;
  std::vector<Key> keys;
};

/// Figures that are kept, since counting would take a scan.
struct Counts {
  std::uint64_t texts = 0, fresh = 0, near = 0, exact = 0;

  /// Of those with this verdict, which isn't refused.
  [[nodiscard]] std::uint64_t& of(Verdict verdict) noexcept {
    return verdict == Verdict::fresh ? fresh : verdict == Verdict::near ? near : exact;
  }
  void add(Verdict verdict) noexcept { ++texts, ++of(verdict); }
};

/// A file of the manifest.
struct SegmentName {
  std::uint32_t number = 0;
  std::uint32_t tier = 0;  ///< how often its postings were merged
};
[[nodiscard]] std::filesystem::path segment_path(const std::filesystem::path& place, const SegmentName& name);

/// That a text left, for followers. Removals are counted from 0; `texts` were numbered before it.
struct Removal {
  TextNumber texts = 0;
  std::string id;
};

/// How many texts and removals there were, of all that ever were.
struct Extent {
  TextNumber texts = 0;
  std::uint64_t removals = 0;

  bool operator==(const Extent&) const = default;
};

struct Delta;

/// Changes that are committed together. Later ones of the same thing win.
class Change {
 public:
  /// With what finds it by its source and its expiry.
  void put_row(TextNumber text, const Row& row);
  /// Its source and its expiry, as put_row() does.
  void put_finders(TextNumber text, const Row& row);
  /// Its id, and of whom it is a member or a copy.
  void put_links(TextNumber text, const Row& row);
  /// REQUIRES the row as it was put.
  void erase_row(TextNumber text, const Row& row);
  /// All that a batch adds.
  void put_texts(const Delta& delta);
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
  /// Forgets which texts were removed: no postings of them are left.
  void erase_removed();
  /// That, and which keys are full.
  void erase_derived();
  void put_counts(const Counts& counts);
  void erase_full(Key key);
  /// What was learned of a batch, whose first text has this number.
  void put_templates(TextNumber first, const TemplateTable& learned);
  /// All that is known, in place of what was put.
  void put_all_templates(const TemplateTable& templates);
  void put_removal(std::uint64_t number, TextNumber texts, std::string_view id);
  /// Forgets the removals before this one.
  void erase_removals(std::uint64_t before);
  /// Whoever followed the index under another number begins again.
  void put_history(std::uint64_t history);
  /// What is set aside of the source lies in the folder of this number.
  void put_open(std::string_view source, std::uint32_t folder);
  void erase_open(std::string_view source);
  /// Texts from `first` on come from a source that is being committed, and nobody sees them before the end of
  /// it.
  void put_committing(std::string_view source, TextNumber first);
  void erase_committing();
  /// The segments, the oldest first, hold all texts before `next`: the log of those goes.
  void put_segments(const std::vector<SegmentName>& segments, TextNumber next);

 private:
  friend class Store;
  explicit Change(std::span<rocksdb::ColumnFamilyHandle* const> families) : families_(families) {}
  std::span<rocksdb::ColumnFamilyHandle* const> families_;
  rocksdb::WriteBatch batch_;
};

/// A source whose texts are set aside.
struct OpenSource {
  std::string name;
  std::uint32_t folder = 0;
};

/// A source on its way into the index, and its first text there.
struct Committing {
  std::string name;
  TextNumber first = 0;
};

/// Where a text stands in the order of expiry.
struct Expiring {
  Seconds at = 0;
  TextNumber text = 0;
};

/// Some texts in their order, and the number before which there are no others.
struct Part {
  std::vector<std::pair<TextNumber, Row>> texts;
  TextNumber end = 0;
};

/// What an open index begins with.
struct Beginning {
  std::vector<SegmentName> segments;
  std::vector<LogEntry> log;
  std::vector<Key> full;
  std::vector<TextNumber> removed;
  TemplateTable templates;
  std::uint64_t template_entries = 0;  ///< of the rows that these were read from
  Counts counts;
  std::uint64_t history = 0, first_removal = 0, removals = 0;
  std::vector<OpenSource> open;
  std::optional<Committing> committing;
};

/// The store as it is at one moment; what is read with it stays the same. An empty one: as it is now.
using Moment = std::shared_ptr<const rocksdb::Snapshot>;

/// Column families of a RocksDB (database.hpp). Any number of threads may read; changes take turns. A commit
/// returns when the change is as durable as was asked for. After one that failed nothing of it is there.
class Store final : public Rows {
 public:
  /// `place`: a folder; empty: in memory. Makes it if it is missing and may be made.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& place, const Settings& settings,
                                             LogOfWrites log = LogOfWrites::whole);

  /// One that is there, for reading its texts alone (Database::open_to_read()): maker(), read(),
  /// texts_between(), shown_end(), stamp() and bytes(). `cache`: bytes of memory for what is read.
  static Result<std::unique_ptr<Store>> open_to_read(const std::filesystem::path& place, std::size_t cache);

  /// A damaged one, for reading what can be read of it: maker(), counts(), open_sources(), shown_end(), and
  /// for_each_readable().
  static Result<std::unique_ptr<Store>> open_damaged(const std::filesystem::path& place);

  /// One that another process may have open: see Database::to_follow(). For what open_to_read() is for, and
  /// holder(), removals_from(), history() and extent(), each after show_durable() has said yes.
  static std::unique_ptr<Store> to_follow(const std::filesystem::path& place);
  Result<bool> show_durable() { return database_->show_durable(); }

  /// Nothing if the store is new. Then it is to be set, before anything else is written.
  [[nodiscard]] Result<std::optional<Maker>> maker() const;
  Result<void> set_maker(const Maker& maker, const SipKey& secret);
  /// Is it the secret of this index? Fails with corrupt if not. From now on it is if nobody knows, as in
  /// indexes of earlier versions, or if `renew`.
  Result<void> check_secret(const SipKey& secret, bool renew);
  /// Is it one that is made at once, without a log of writes? Then texts come by append(), it is an index
  /// when finish() is done, and until then texts and ids alone can be read.
  [[nodiscard]] bool is_bulk() const noexcept { return bulk_ != nullptr; }
  /// REQUIRES that texts come in the order of their numbers.
  Result<void> append(const Delta& delta);
  /// `rest`: what else there is.
  Result<void> finish(Change& rest);
  /// Must not outlive the store.
  [[nodiscard]] Result<Moment> moment() const;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override { return read(text, row, {}); }
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row, const Moment& moment) const;
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view id) const override;
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat) const override { return holder(seat, {}); }
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat, const Moment& moment) const;
  /// The earliest one.
  [[nodiscard]] Result<std::optional<TextNumber>> first_member(TextNumber family) const;
  [[nodiscard]] Result<std::optional<TextNumber>> first_copy(TextNumber content) const;
  using EachRow = std::function<Result<void>(TextNumber, const Row&)>;
  /// All texts, in the order of their numbers.
  Result<void> for_each(const EachRow& each, const Moment& moment = {}) const;
  /// Those of a source, in the order of their numbers.
  Result<void> for_each_of(std::string_view source, const EachRow& each, const Moment& moment) const;
  /// The latest `most` texts of a source below this number, the latest first.
  [[nodiscard]] Result<std::vector<TextNumber>> latest_of(std::string_view source, TextNumber below,
                                                          std::size_t most) const;
  /// The first `most` texts after this one that expire before the moment, in the order of expiry.
  [[nodiscard]] Result<std::vector<Expiring>> expired(Seconds before, std::optional<Expiring> after,
                                                      std::size_t most) const;
  /// The first `most` texts of these numbers, or fewer of so many bytes.
  [[nodiscard]] Result<Part> texts_between(TextNumber first, TextNumber end, std::size_t most,
                                           std::size_t bytes, const Moment& moment) const;
  /// The first `most` removals from this one on; none if it is forgotten.
  [[nodiscard]] Result<std::vector<Removal>> removals_from(std::uint64_t first, std::size_t most,
                                                           const Moment& moment) const;
  [[nodiscard]] Result<Beginning> begin() const;
  [[nodiscard]] Result<Counts> counts() const;
  [[nodiscard]] Result<std::vector<OpenSource>> open_sources() const;
  /// All texts that can be read, in the order of their numbers. Slow: each is looked for.
  Result<void> for_each_readable(const EachRow& each) const;
  /// The texts from this number on are not shown, since the commit of their source was interrupted.
  [[nodiscard]] Result<TextNumber> shown_end() const;
  /// What cursors of followers are of.
  [[nodiscard]] Result<std::uint64_t> history() const;
  /// What there was of texts that are shown, and of removals.
  [[nodiscard]] Result<Extent> extent() const;
  /// Differs from that of any other store, and from any earlier one of this store that held something else.
  [[nodiscard]] Result<std::uint64_t> stamp() const;

  /// See Database.
  [[nodiscard]] bool is_read_only() const { return database_->is_read_only(); }
  Result<void> make_writable() { return database_->make_writable(); }
  [[nodiscard]] Result<Change> change();
  /// `wait`: until it is as durable as was asked for. If not, sync() is.
  Result<void> commit(Change& change, bool wait = true);
  Result<void> sync();
  /// Waits until all that was written is durable, whatever was asked for: before files go that it replaces.
  Result<void> make_durable();
  /// A copy in a folder that isn't there. REQUIRES a folder of its own, and that nothing is committed
  /// meanwhile.
  Result<void> copy_to(const std::filesystem::path& place) const;
  /// Gives up the space of what was erased.
  Result<void> compact();

  /// Reads everything, comparing checksums.
  Result<void> verify() const;
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of these, what lies in memory, since it is in no sorted file yet.
  [[nodiscard]] std::uint64_t unsorted_bytes() const;

 private:
  Store(std::filesystem::path place, std::unique_ptr<Database> database)
      : place_(std::move(place)), database_(std::move(database)) {}
  [[nodiscard]] Result<std::optional<Committing>> committing() const;
  [[nodiscard]] std::uint64_t sum_of(std::span<rocksdb::ColumnFamilyHandle* const> families,
                                     std::initializer_list<const char*> properties) const;
  [[nodiscard]] Result<std::optional<TextNumber>> first_link(unsigned family, TextNumber seat) const;

  std::filesystem::path place_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<BulkRows> bulk_;
};

}  // namespace leitong::online
