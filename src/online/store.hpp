// The durable data of an index: its texts, and what cannot be derived from them. Everything else is made from
// these data.
#pragma once

#include <rocksdb/write_batch.h>

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
#include "online/index_spec.hpp"
#include "online/row.hpp"
#include "online/segment.hpp"
#include "online/template_table.hpp"

namespace leitong::online {

/// The postings of a new text: replayed when an index is opened, until a segment holds them.
struct LogEntry {
  TextNumber text = 0;
  TextRecord record;
  std::vector<Key> keys;
};

/// Numbers that are stored, because counting would take a scan.
struct Counts {
  std::uint64_t texts = 0, fresh = 0, near = 0, exact = 0;

  /// The count of this verdict, which is not `refused`. Texts of which others hold parts are new.
  [[nodiscard]] std::uint64_t& of(Verdict verdict) noexcept {
    return verdict == Verdict::near ? near : verdict == Verdict::exact ? exact : fresh;
  }
  void add(Verdict verdict) noexcept { ++texts, ++of(verdict); }
};

/// A segment that the store lists.
struct SegmentName {
  std::uint32_t number = 0;
  std::uint32_t tier = 0;  ///< how often its postings were merged
};
[[nodiscard]] std::filesystem::path segment_path(const std::filesystem::path& place, const SegmentName& name);

/// A removal, for followers. Removals are counted from 0; `texts` is the number of texts given before it.
struct Removal {
  TextNumber texts = 0;
  std::string id;
};

/// How many texts and removals there were since the index was made.
struct Extent {
  std::uint64_t texts = 0;
  std::uint64_t removals = 0;

  bool operator==(const Extent&) const = default;
};

struct Delta;

/// Changes that are committed together. A later change of the same thing replaces an earlier one.
class Change {
 public:
  /// The row, and its source and expiry, by which it can be found.
  void put_row(TextNumber text, const Row& row);
  /// Only its source and its expiry.
  void put_finders(TextNumber text, const Row& row);
  /// Only its id, and its place as a member or a copy.
  void put_links(TextNumber text, const Row& row);
  /// REQUIRES the row as it was put.
  void erase_row(TextNumber text, const Row& row);
  /// Everything that a batch adds.
  void put_texts(const Delta& delta);
  void put_id(std::string_view id, TextNumber text);
  void erase_id(std::string_view id);
  /// A text that is not the first of its family, or not the first of its content.
  void put_member(TextNumber family, TextNumber text);
  void erase_member(TextNumber family, TextNumber text);
  void put_copy(TextNumber content, TextNumber text);
  void erase_copy(TextNumber content, TextNumber text);
  /// From now on `text` holds the slot.
  void put_representative(TextNumber slot, TextNumber text);
  void erase_representative(TextNumber slot);
  void put_log(const LogEntry& entry);
  void put_removed(TextNumber text);
  void put_full(Key key);
  /// Forgets which texts were removed, because no postings of them are left.
  void erase_removed();
  /// The same, and which keys are full.
  void erase_derived();
  void put_counts(const Counts& counts);
  void erase_full(Key key);
  /// The templates that were learned from a batch whose first text has this number.
  void put_templates(TextNumber first, const TemplateTable& learned);
  /// All known templates, instead of those that were put before.
  void put_all_templates(const TemplateTable& templates);
  void put_removal(std::uint64_t number, TextNumber texts, std::string_view id);
  /// Forgets the removals before this one.
  void erase_removals(std::uint64_t before);
  /// Followers of an earlier history have to start again.
  void put_history(std::uint64_t history);
  /// The folder of this number has the texts of the source that are set aside.
  void put_open(std::string_view source, std::uint32_t folder);
  void erase_open(std::string_view source);
  /// Texts from `first` on belong to a source that is being committed; nobody sees them before its end.
  void put_committing(std::string_view source, TextNumber first);
  void erase_committing();
  /// The segments, the oldest first, hold all texts before `next`, so the log of these is deleted.
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

/// A source that is being committed, and the number of its first text.
struct Committing {
  std::string name;
  TextNumber first = 0;
};

/// The position of a text in the order of expiry.
struct Expiring {
  Seconds at = 0;
  TextNumber text = 0;
};

/// Some texts in order, and the number up to which they are complete.
struct Part {
  std::vector<std::pair<TextNumber, Row>> texts;
  TextNumber end = 0;
};

/// What is loaded when an index is opened.
struct Beginning {
  std::vector<SegmentName> segments;
  std::vector<LogEntry> log;
  std::vector<Key> full;
  std::vector<TextNumber> removed;
  TemplateTable templates;
  std::uint64_t template_entries = 0;  ///< in the rows that these were read from
  Counts counts;
  std::uint64_t history = 0, first_removal = 0, removals = 0;
  std::vector<OpenSource> open;
  std::optional<Committing> committing;
};

/// The store at one moment; reads with it do not see later changes. Null: the present.
using Moment = std::shared_ptr<const rocksdb::Snapshot>;

/// The column families of a RocksDB (database.hpp). Any number of threads may read; changes run one at a
/// time. A commit returns when the change is as durable as the settings ask for. A failed one leaves nothing.
class Store final : public Rows {
 public:
  /// `place`: a folder; empty: in memory. Makes the store if it is missing and the settings allow it.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& place, const Settings& settings,
                                             LogOfWrites log = LogOfWrites::whole);

  /// Opens an existing store only for reading its texts (Database::open_to_read()): spec(), read(),
  /// texts_between(), shown_end(), stamp() and bytes(). `cache`: bytes of memory for what is read.
  static Result<std::unique_ptr<Store>> open_to_read(const std::filesystem::path& place, std::size_t cache);

  /// Opens a damaged store to read what can be read: spec(), counts(), open_sources(), shown_end() and
  /// for_each_readable().
  static Result<std::unique_ptr<Store>> open_damaged(const std::filesystem::path& place);

  /// A store that another process may have open: see Database::to_follow(). Allows what open_to_read() does,
  /// and representative(), removals_from(), history() and extent(), each after show_durable() returned true.
  static std::unique_ptr<Store> to_follow(const std::filesystem::path& place);
  Result<bool> show_durable() { return database_->show_durable(); }

  /// Nothing if the store is new; then the specification has to be set before anything else is written.
  [[nodiscard]] Result<std::optional<IndexSpec>> spec() const;
  Result<void> set_spec(const IndexSpec& spec, const SipKey& secret);
  /// Is it the secret of this index? If not, fails with corrupt. If the store has no mark (an index of an
  /// earlier version), or with `renew`, this secret becomes that of the index.
  Result<void> check_secret(const SipKey& secret, bool renew);
  /// Is it being built in bulk, without a log of writes? Then append() adds texts, and only texts and ids can
  /// be read until finish() completes it.
  [[nodiscard]] bool is_bulk() const noexcept { return bulk_ != nullptr; }
  /// REQUIRES texts in the order of their numbers.
  Result<void> append(const Delta& delta);
  /// `rest`: everything else.
  Result<void> finish(Change& rest);
  /// Must not outlive the store.
  [[nodiscard]] Result<Moment> moment() const;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override { return read(text, row, {}); }
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row, const Moment& moment) const;
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view id) const override;
  [[nodiscard]] Result<TextNumber> representative(TextNumber slot) const override {
    return representative(slot, {});
  }
  [[nodiscard]] Result<TextNumber> representative(TextNumber slot, const Moment& moment) const;
  /// The earliest one.
  [[nodiscard]] Result<std::optional<TextNumber>> first_member(TextNumber family) const;
  [[nodiscard]] Result<std::optional<TextNumber>> first_copy(TextNumber content) const;
  using EachRow = std::function<Result<void>(TextNumber, const Row&)>;
  /// Passes on all texts, in the order of their numbers.
  Result<void> for_each(const EachRow& each, const Moment& moment = {}) const;
  /// Passes on the texts of a source, in the order of their numbers.
  Result<void> for_each_of(std::string_view source, const EachRow& each, const Moment& moment) const;
  /// The latest `most` texts of a source below this number, the latest first.
  [[nodiscard]] Result<std::vector<TextNumber>> latest_of(std::string_view source, TextNumber below,
                                                          std::size_t most) const;
  /// The first `most` texts after this one that expire before the moment, in the order of expiry.
  [[nodiscard]] Result<std::vector<Expiring>> expired(Seconds before, std::optional<Expiring> after,
                                                      std::size_t most) const;
  /// The first texts of this range: `most`, or fewer because of their size.
  [[nodiscard]] Result<Part> texts_between(TextNumber first, TextNumber end, std::size_t most,
                                           std::size_t bytes, const Moment& moment) const;
  /// The first `most` removals from this one on; none if this one is forgotten.
  [[nodiscard]] Result<std::vector<Removal>> removals_from(std::uint64_t first, std::size_t most,
                                                           const Moment& moment) const;
  [[nodiscard]] Result<Beginning> begin() const;
  [[nodiscard]] Result<Counts> counts() const;
  [[nodiscard]] Result<std::vector<OpenSource>> open_sources() const;
  /// Passes on all texts that can be read, in the order of their numbers. Slow: it looks up each number.
  Result<void> for_each_readable(const EachRow& each) const;
  /// Texts from this number on are not shown, because the commit of their source was interrupted.
  [[nodiscard]] Result<TextNumber> shown_end() const;
  /// The history to which cursors of followers belong.
  [[nodiscard]] Result<std::uint64_t> history() const;
  /// The extent of the texts that are shown, and of the removals.
  [[nodiscard]] Result<Extent> extent() const;
  /// A number that differs from the stamps of all other stores, and from earlier stamps of this store with
  /// other contents.
  [[nodiscard]] Result<std::uint64_t> stamp() const;

  /// See Database.
  [[nodiscard]] bool is_read_only() const { return database_->is_read_only(); }
  Result<void> make_writable() { return database_->make_writable(); }
  [[nodiscard]] Result<Change> change();
  /// `wait`: until the change is as durable as the settings ask for; otherwise sync() makes it so.
  Result<void> commit(Change& change, bool wait = true);
  Result<void> sync();
  /// Makes all writes durable, at every level of durability. Call it before files are deleted that the writes
  /// replace.
  Result<void> make_durable();
  /// Copies the store to a new folder. REQUIRES a store in a folder, and that nothing is committed meanwhile.
  Result<void> copy_to(const std::filesystem::path& place) const;
  /// Frees the space of what was erased.
  Result<void> compact();

  /// Reads everything and verifies checksums.
  Result<void> verify() const;
  [[nodiscard]] std::uint64_t bytes() const;
  /// The bytes that are only in memory, because no sorted file has them yet.
  [[nodiscard]] std::uint64_t unsorted_bytes() const;

 private:
  Store(std::filesystem::path place, std::unique_ptr<Database> database)
      : place_(std::move(place)), database_(std::move(database)) {}
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;
  /// Calls each(key, value) for the entries of a family from this key on, until it returns false.
  template <class Each>
  Result<void> scan(unsigned family, const rocksdb::ReadOptions& options, std::string_view from,
                    Each each) const;
  [[nodiscard]] Result<std::optional<Committing>> committing() const;
  [[nodiscard]] std::uint64_t sum_of(std::span<rocksdb::ColumnFamilyHandle* const> families,
                                     std::initializer_list<const char*> properties) const;
  [[nodiscard]] Result<std::optional<TextNumber>> first_link(unsigned family, TextNumber slot) const;

  std::filesystem::path place_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<BulkRows> bulk_;
};

}  // namespace leitong::online
