#include "online/store.hpp"

#include <fmt/core.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "online/state.hpp"
#include "online/store_layout.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

using namespace layout;

namespace {

constexpr const char *kSortedBytes = "rocksdb.total-sst-files-size",
                     *kUnsortedBytes = "rocksdb.cur-size-all-mem-tables";

/// `within_cache`: index and filter blocks of files are kept in the cache only.
rocksdb::ColumnFamilyOptions options_of(Family family, const std::shared_ptr<rocksdb::Cache>& cache,
                                        bool within_cache = false) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = within_cache;
  table.block_cache = cache;
  table.format_version = 5;
  if (family == kIds || family == kRepresentatives)
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = rocksdb::kNoCompression;  // texts are compressed one by one
  options.write_buffer_size = family == kTexts ? std::size_t{64} << 20 : std::size_t{16} << 20;
  // Most ids that are looked up are new, and most slots have their first representative.
  if (family == kIds || family == kRepresentatives) {
    options.memtable_prefix_bloom_size_ratio = .1;
    options.memtable_whole_key_filtering = true;
  }
  return options;
}

/// All families, for readers that read little.
std::vector<rocksdb::ColumnFamilyDescriptor> all_families() {
  const auto cache = rocksdb::NewLRUCache(std::size_t{16} << 20);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (unsigned family = 0; family < kFamilies; ++family)
    families.emplace_back(kFamilyNames[family], options_of(static_cast<Family>(family), cache));
  return families;
}

/// A mark that identifies a secret without revealing it.
std::string mark_of(const SipKey& secret) { return std::string(value_bytes(siphash(secret, kSecretKey))); }

/// For a store that is built in bulk: the latest writes are sorted when they are written to a file, and files
/// are not compacted.
rocksdb::ColumnFamilyOptions bulk_options_of(Family family, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options = options_of(family, cache);
  options.memtable_factory = std::make_shared<rocksdb::VectorRepFactory>();
  options.disable_auto_compactions = true;
  return options;
}

}  // namespace

std::filesystem::path segment_path(const std::filesystem::path& place, const SegmentName& name) {
  return place / fmt::format("segment-{:06}.online", name.number);
}

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& place, const Settings& settings,
                                           LogOfWrites log) {
  const auto cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  const bool bulk = log == LogOfWrites::none;
  for (unsigned family = 0; family < kFamilies; ++family)
    families.emplace_back(kFamilyNames[family], bulk ? bulk_options_of(static_cast<Family>(family), cache)
                                                     : options_of(static_cast<Family>(family), cache));
  LEITONG_ASSIGN(auto database,
                 Database::open(place, settings.create, settings.durability, log, std::move(families)));
  std::unique_ptr<Store> store(new Store(place, std::move(database)));
  if (bulk)
    store->bulk_ = std::make_unique<BulkRows>(
        place, *store->database_, kTexts, rocksdb::Options(rocksdb::DBOptions(), options_of(kTexts, cache)));
  return store;
}

Result<std::unique_ptr<Store>> Store::open_to_read(const std::filesystem::path& place, std::size_t cache) {
  const auto shared = rocksdb::NewLRUCache(cache);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const Family family : {kMeta, kTexts})
    families.emplace_back(kFamilyNames[family], options_of(family, shared, true));
  LEITONG_ASSIGN(auto database, Database::open_to_read(place, std::move(families)));
  return std::unique_ptr<Store>(new Store(place, std::move(database)));
}

Result<std::unique_ptr<Store>> Store::open_damaged(const std::filesystem::path& place) {
  LEITONG_ASSIGN(auto database, Database::open_damaged(place, all_families()));
  return std::unique_ptr<Store>(new Store(place, std::move(database)));
}

std::unique_ptr<Store> Store::to_follow(const std::filesystem::path& place) {
  return std::unique_ptr<Store>(new Store(place, Database::to_follow(place, all_families())));
}

tl::unexpected<Error> Store::damaged(std::string_view what) const {
  return database_->failed(rocksdb::Status::Corruption(slice(what)));
}

Result<std::optional<IndexSpec>> Store::spec() const {
  std::string format, scheme, given, dictionaries, distance, texts;
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  rocksdb::Status status = db->Get({}, slice(kFormatKey), &format);
  // Nothing was ever written: the store is new, or the process that made it was killed before its first
  // commit.
  if (status.IsNotFound() && db->GetLatestSequenceNumber() == 0) return std::nullopt;
  if (status.ok()) status = db->Get({}, slice(kSchemeKey), &scheme);
  if (status.IsNotFound()) status = rocksdb::Status::Corruption("what the index was made with is missing");
  if (!status.ok()) return database_->failed(status);
  if (format == kUnfinished)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: is an index whose making was interrupted; make it anew, in another folder",
                            place_.string()));
  if (format != kFormat)
    return fail(ErrorCode::unsupported, fmt::format("{}: is of the format \"{}\", this program reads \"{}\"",
                                                    place_.string(), format.substr(0, 60), kFormat));
  IndexSpec spec;
  LEITONG_ASSIGN(spec.scheme, parse_scheme(scheme));
  for (const auto& [key, value] : {std::pair{kGivenKey, &given},
                                   {kDictionariesKey, &dictionaries},
                                   {kDistanceKey, &distance},
                                   {kTextsKey, &texts}})
    if (status = db->Get({}, slice(key), value); !status.ok() && !status.IsNotFound())
      return database_->failed(status);
  spec.given = split_lines(given);
  spec.dictionaries = dictionaries_of(split_lines(dictionaries));
  std::string_view bytes = distance;
  std::uint32_t bits = 0;
  if (!bytes.empty() && !take_value(bytes, bits)) return damaged("the distance");
  spec.distance = bits;
  spec.keeps_texts = texts.empty();
  return spec;
}

Result<void> Store::check_secret(const SipKey& secret, bool renew) {
  std::string mark;
  {
    LEITONG_ASSIGN(const Database::Use db, database_->use());
    const rocksdb::Status status = db->Get({}, slice(kSecretKey), &mark);
    if (!status.ok() && !status.IsNotFound()) return database_->failed(status);
    if (status.ok() && mark == mark_of(secret)) return {};
    if (status.ok() && !renew)
      return fail(ErrorCode::corrupt, fmt::format("{}: is not the secret that the index was made with; "
                                                  "repair the index by `leitong index repair`",
                                                  (place_ / "secret").string()));
  }
  if (is_read_only()) return {};
  LEITONG_ASSIGN(Change change, this->change());
  change.batch_.Put(change.families_[kMeta], slice(kSecretKey), mark_of(secret));
  // An index of an earlier version works without the mark, if it cannot be written now.
  const Result<void> kept = commit(change);
  return renew ? kept : Result<void>{};
}

Result<void> Store::set_spec(const IndexSpec& spec, const SipKey& secret) {
  LEITONG_ASSIGN(Change change, this->change());
  const auto put = [&](std::string_view key, std::string_view value) {
    change.batch_.Put(change.families_[kMeta], slice(key), slice(value));
  };
  put(kFormatKey, is_bulk() ? kUnfinished : kFormat);
  put(kSchemeKey, scheme_text(spec.scheme));
  if (!spec.given.empty()) put(kGivenKey, joined_lines(spec.given));
  if (const std::string named = joined_lines(named_files(spec.dictionaries)); !named.empty())
    put(kDictionariesKey, named);
  if (spec.distance != 0) put(kDistanceKey, value_bytes(std::uint32_t{spec.distance}));
  if (!spec.keeps_texts) put(kTextsKey, "none");
  put(kSecretKey, mark_of(secret));
  change.put_history(random_secret().low);
  LEITONG_TRY(commit(change));
  // Synced at every level of durability, because nothing can be read without it.
  return is_bulk() ? database_->flush() : database_->sync();
}

Result<void> Store::append(const Delta& delta) {
  LEITONG_ASSIGN(Change change, this->change());
  TextNumber number = delta.first;
  for (const NewText& text : delta.texts) {
    LEITONG_TRY(bulk_->append(number, text.row));
    change.put_finders(number, text.row);
    change.put_links(number++, text.row);
  }
  return commit(change, false);
}

Result<void> Store::finish(Change& rest) {
  LEITONG_TRY(bulk_->finish());
  LEITONG_TRY(commit(rest, false));
  LEITONG_TRY(database_->flush());
  // From here on it is a complete index.
  LEITONG_ASSIGN(Change change, this->change());
  change.batch_.Put(change.families_[kMeta], slice(kFormatKey), slice(kFormat));
  LEITONG_TRY(commit(change, false));
  return database_->flush();
}

namespace {

rocksdb::ReadOptions at(const Moment& moment) {
  rocksdb::ReadOptions options;
  options.snapshot = moment.get();
  return options;
}

}  // namespace

Result<Change> Store::change() {
  LEITONG_TRY(make_writable());
  return Change(database_->families());
}

Result<Moment> Store::moment() const {
  LEITONG_ASSIGN(Database::Use db, database_->use());
  const rocksdb::Snapshot* const now = db->GetSnapshot();
  return Moment(now, [use = std::make_shared<Database::Use>(std::move(db))](const rocksdb::Snapshot* s) {
    (*use)->ReleaseSnapshot(s);
  });
}

Result<bool> Store::read(TextNumber text, Row& row, const Moment& moment) const {
  if (is_bulk() && bulk_->holds(text)) return bulk_->read(text, row);
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db->Get(at(moment), db.family(kTexts), key_of(text), &value);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return database_->failed(status);
  if (!unpack_row(view(value), row)) return damaged(fmt::format("text {}", text));
  return true;
}

Result<std::optional<TextNumber>> Store::find(std::string_view id) const {
  if (is_bulk()) {
    const std::optional<TextNumber> found = bulk_->may_have(id);
    if (!found) return std::nullopt;
    Row row;
    LEITONG_ASSIGN(const bool there, read(*found, row, {}));
    return there && row.id == id ? found : std::nullopt;
  }
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db->Get({}, db.family(kIds), slice(id), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return database_->failed(status);
  return static_cast<TextNumber>(number_in_key(view(value)));
}

Result<TextNumber> Store::representative(TextNumber slot, const Moment& moment) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db->Get(at(moment), db.family(kRepresentatives), key_of(slot), &value);
  if (status.IsNotFound()) return slot;
  if (!status.ok()) return database_->failed(status);
  return static_cast<TextNumber>(number_in_key(view(value)));
}

Result<std::optional<TextNumber>> Store::first_link(unsigned family, TextNumber slot) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  const std::string prefix = key_of(slot);
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator({}, db.family(family)));
  at->Seek(prefix);
  if (!at->status().ok()) return database_->failed(at->status());
  if (!at->Valid() || !view(at->key()).starts_with(prefix)) return std::nullopt;
  return static_cast<TextNumber>(number_in_key(view(at->key()).substr(prefix.size())));
}
Result<std::optional<TextNumber>> Store::first_member(TextNumber family) const {
  return first_link(kMembers, family);
}
Result<std::optional<TextNumber>> Store::first_copy(TextNumber content) const {
  return first_link(kCopies, content);
}

template <class Each>
Result<void> Store::scan(unsigned family, const rocksdb::ReadOptions& options, std::string_view from,
                         Each each) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  const std::unique_ptr<rocksdb::Iterator> entry(db->NewIterator(options, db.family(family)));
  for (entry->Seek(slice(from)); entry->Valid(); entry->Next()) {
    LEITONG_ASSIGN(const bool goes_on, each(view(entry->key()), view(entry->value())));
    if (!goes_on) break;
  }
  if (!entry->status().ok()) return database_->failed(entry->status());
  return {};
}

Result<void> Store::for_each(const EachRow& each, const Moment& moment) const {
  rocksdb::ReadOptions options = at(moment);
  options.fill_cache = false;
  Row row;
  return scan(kTexts, options, {}, [&](std::string_view key, std::string_view value) -> Result<bool> {
    const auto text = static_cast<TextNumber>(number_in_key(key));
    if (!unpack_row(value, row)) return damaged(fmt::format("text {}", text));
    LEITONG_TRY(each(text, row));
    return true;
  });
}

Result<void> Store::for_each_readable(const EachRow& each) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  // The manifest gives the range of numbers even for files that cannot be read; other texts are in memory.
  std::uint64_t end = 0;
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  for (const rocksdb::LiveFileMetaData& file : files)
    if (file.column_family_name == kFamilyNames[kTexts])
      end = std::max(end, number_in_key(file.largestkey) + 1);
  rocksdb::ReadOptions in_memory;
  in_memory.read_tier = rocksdb::kMemtableTier;
  const std::unique_ptr<rocksdb::Iterator> last(db->NewIterator(in_memory, db.family(kTexts)));
  last->SeekToLast();
  if (last->Valid()) end = std::max(end, number_in_key(view(last->key())) + 1);
  // Numbers are looked up one by one, because an iterator over many files ends at the first damaged one.
  Row row;
  for (std::uint64_t number = 0; number < end; ++number) {
    const auto text = static_cast<TextNumber>(number);
    const Result<bool> there = read(text, row);
    if (there && *there) LEITONG_TRY(each(text, row));
  }
  return {};
}

Result<void> Store::for_each_of(std::string_view source, const EachRow& each, const Moment& moment) const {
  const std::string prefix = source_prefix(source);
  Row row;
  return scan(kSources, at(moment), prefix, [&](std::string_view key, std::string_view) -> Result<bool> {
    if (!key.starts_with(prefix)) return false;
    const auto text = static_cast<TextNumber>(number_in_key(key.substr(prefix.size())));
    LEITONG_ASSIGN(const bool there, read(text, row, moment));
    if (!there) return damaged(fmt::format("text {} is missing", text));
    LEITONG_TRY(each(text, row));
    return true;
  });
}

Result<std::vector<TextNumber>> Store::latest_of(std::string_view source, TextNumber below,
                                                 std::size_t most) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  const std::string prefix = source_prefix(source);
  const std::unique_ptr<rocksdb::Iterator> at_text(db->NewIterator({}, db.family(kSources)));
  std::vector<TextNumber> texts;
  if (below == 0) return texts;
  for (at_text->SeekForPrev(source_key(source, below - 1));
       texts.size() < most && at_text->Valid() && view(at_text->key()).starts_with(prefix); at_text->Prev())
    texts.push_back(static_cast<TextNumber>(number_in_key(view(at_text->key()).substr(prefix.size()))));
  if (!at_text->status().ok()) return database_->failed(at_text->status());
  return texts;
}

Result<std::vector<Expiring>> Store::expired(Seconds before, std::optional<Expiring> after,
                                             std::size_t most) const {
  std::vector<Expiring> texts;
  const std::string from = after ? expiry_key(*after) + '\0' : std::string();
  LEITONG_TRY(scan(kExpiry, {}, from, [&](std::string_view key, std::string_view) -> Result<bool> {
    const auto moment = static_cast<Seconds>(number_in_key(key.substr(0, sizeof(Seconds))) ^ kSign);
    if (moment >= before || texts.size() == most) return false;
    texts.push_back({moment, static_cast<TextNumber>(number_in_key(key.substr(sizeof(Seconds))))});
    return true;
  }));
  return texts;
}

Result<Part> Store::texts_between(TextNumber first, TextNumber end, std::size_t most, std::size_t bytes,
                                  const Moment& moment) const {
  Part part{{}, end};
  std::size_t size = 0;
  const auto take = [&](std::string_view key, std::string_view value) -> Result<bool> {
    const auto text = static_cast<TextNumber>(number_in_key(key));
    if (text >= end) return false;
    if (part.texts.size() == most || size >= bytes) {
      part.end = text;
      return false;
    }
    Row& row = part.texts.emplace_back(text, Row()).second;
    if (!unpack_row(value, row)) return damaged(fmt::format("text {}", text));
    size += row.text_bytes;
    return true;
  };
  LEITONG_TRY(scan(kTexts, at(moment), key_of(first), take));
  return part;
}

Result<std::vector<Removal>> Store::removals_from(std::uint64_t first, std::size_t most,
                                                  const Moment& moment) const {
  std::vector<Removal> removals;
  const auto take = [&](std::string_view key, std::string_view bytes) -> Result<bool> {
    if (removals.size() == most || number_in_key(key) != first + removals.size()) return false;
    Removal& removal = removals.emplace_back();
    if (!take_value(bytes, removal.texts)) return damaged("a removal");
    removal.id = bytes;
    return true;
  };
  LEITONG_TRY(scan(kRemovals, at(moment), key_of(first), take));
  return removals;
}

Result<Beginning> Store::begin() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  Beginning beginning;
  std::string value;
  rocksdb::Status status = db->Get({}, slice(kSegmentsKey), &value);
  if (!status.ok() && !status.IsNotFound()) return database_->failed(status);
  if (status.ok()) {
    beginning.segments.resize(value.size() / sizeof(SegmentName));
    std::memcpy(static_cast<void*>(beginning.segments.data()), value.data(),
                beginning.segments.size() * sizeof(SegmentName));
  }
  LEITONG_ASSIGN(beginning.counts, counts());
  const auto rows_of = [&](Family family, const auto& take) {
    return scan(family, {}, {}, [&](std::string_view key, std::string_view bytes) -> Result<bool> {
      if (take(number_in_key(key), bytes)) return true;
      return damaged(fmt::format("a row of {}", kFamilyNames[family]));
    });
  };
  LEITONG_ASSIGN(beginning.open, open_sources());
  LEITONG_ASSIGN(beginning.history, history());
  const std::unique_ptr<rocksdb::Iterator> removal(db->NewIterator({}, db.family(kRemovals)));
  removal->SeekToFirst();
  if (removal->Valid()) beginning.first_removal = number_in_key(view(removal->key()));
  removal->SeekToLast();
  if (removal->Valid()) beginning.removals = number_in_key(view(removal->key())) + 1;
  if (!removal->status().ok()) return database_->failed(removal->status());
  LEITONG_ASSIGN(beginning.committing, committing());
  LEITONG_TRY(rows_of(kLog, [&](std::uint64_t text, std::string_view bytes) {
    LogEntry& entry = beginning.log.emplace_back();
    entry.text = static_cast<TextNumber>(text);
    return unpack(bytes, entry);
  }));
  // Rows are in the order in which templates were learned. Together they have up to 1.5 times the size of
  // everything that is known.
  std::uint64_t became = 0;
  rocksdb::ColumnFamilyHandle* const family = db.family(kTemplates);
  beginning.templates.reserve(sum_of({&family, 1}, {kSortedBytes}) / TemplateTable::kEntryBytes * 2 / 3);
  LEITONG_TRY(rows_of(kTemplates, [&](std::uint64_t, std::string_view bytes) {
    beginning.template_entries += bytes.size() / TemplateTable::kEntryBytes;
    return beginning.templates.take(bytes, became);
  }));
  LEITONG_TRY(rows_of(kFullLists, [&](std::uint64_t key, std::string_view) {
    beginning.full.push_back(key);
    return true;
  }));
  LEITONG_TRY(rows_of(kRemoved, [&](std::uint64_t text, std::string_view) {
    beginning.removed.push_back(static_cast<TextNumber>(text));
    return true;
  }));
  return beginning;
}

Result<Counts> Store::counts() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  std::string value;
  const rocksdb::Status status = db->Get({}, slice(kCountsKey), &value);
  if (!status.ok() && !status.IsNotFound()) return database_->failed(status);
  Counts counts;
  if (status.ok() && value.size() == sizeof counts) std::memcpy(&counts, value.data(), value.size());
  return counts;
}

Result<std::vector<OpenSource>> Store::open_sources() const {
  std::vector<OpenSource> sources;
  LEITONG_TRY(scan(kMeta, {}, kOpenPrefix, [&](std::string_view key, std::string_view bytes) -> Result<bool> {
    if (!key.starts_with(kOpenPrefix)) return false;
    OpenSource& source = sources.emplace_back();
    source.name = key.substr(kOpenPrefix.size());
    if (!take_value(bytes, source.folder)) return damaged("a source");
    return true;
  }));
  return sources;
}

Result<std::optional<Committing>> Store::committing() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  std::string value;
  const rocksdb::Status status = db->Get({}, slice(kCommittingKey), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return database_->failed(status);
  Committing committing;
  std::string_view bytes = value;
  if (!take_value(bytes, committing.first)) return damaged("a source");
  committing.name = bytes;
  return committing;
}

Result<TextNumber> Store::shown_end() const {
  LEITONG_ASSIGN(const std::optional<Committing> committing, this->committing());
  return committing ? committing->first : UINT32_MAX;
}

Result<std::uint64_t> Store::history() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  std::string value;
  const rocksdb::Status status = db->Get({}, slice(kHistoryKey), &value);
  if (!status.ok() && !status.IsNotFound()) return database_->failed(status);
  std::uint64_t history = 0;
  std::string_view bytes = value;
  if (status.ok() && !take_value(bytes, history)) return damaged("the history");
  return history;
}

// The latest texts may have been removed; then their removals show that they existed.
Result<Extent> Store::extent() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  Extent extent;
  for (const Family family : {kTexts, kLog, kRemovals}) {
    const std::unique_ptr<rocksdb::Iterator> last(db->NewIterator({}, db.family(family)));
    last->SeekToLast();
    if (!last->status().ok()) return database_->failed(last->status());
    if (!last->Valid()) continue;
    const std::uint64_t end = number_in_key(view(last->key())) + 1;
    TextNumber texts = static_cast<TextNumber>(end);
    if (family == kRemovals) {
      extent.removals = end;
      std::string_view bytes = view(last->value());
      if (!take_value(bytes, texts)) return damaged("a removal");
    }
    extent.texts = std::max<std::uint64_t>(extent.texts, texts);
  }
  LEITONG_ASSIGN(const TextNumber shown, shown_end());
  extent.texts = std::min<std::uint64_t>(extent.texts, shown);
  return extent;
}

Result<std::uint64_t> Store::stamp() const {
  LEITONG_ASSIGN(const std::uint64_t history, this->history());
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  return mix64(history) + db->GetLatestSequenceNumber();
}

Result<void> Store::commit(Change& change, bool wait) { return database_->write(change.batch_, wait); }

Result<void> Store::make_durable() { return database_->sync(); }

Result<void> Store::sync() { return database_->syncs() ? database_->sync() : Result<void>{}; }

Result<void> Store::copy_to(const std::filesystem::path& place) const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db.operator->(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint((place / "texts").string());
  if (!status.ok()) return database_->failed(status);
  return {};
}

Result<void> Store::compact() {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  for (rocksdb::ColumnFamilyHandle* family : database_->families())
    if (const rocksdb::Status status = db->CompactRange({}, family, nullptr, nullptr); !status.ok())
      return database_->failed(status);
  return {};
}

Result<void> Store::verify() const {
  LEITONG_ASSIGN(const Database::Use db, database_->use());
  const rocksdb::Status status = db->VerifyChecksum();
  if (!status.ok()) return database_->failed(status);
  return for_each([](TextNumber, const Row&) -> Result<void> { return {}; });
}

std::uint64_t Store::sum_of(std::span<rocksdb::ColumnFamilyHandle* const> families,
                            std::initializer_list<const char*> properties) const {
  std::uint64_t bytes = 0;
  const auto db = database_->use();
  if (!db) return 0;
  for (rocksdb::ColumnFamilyHandle* family : families) {
    std::uint64_t of_family = 0;
    for (const char* property : properties)
      if ((*db)->GetIntProperty(family, property, &of_family)) bytes += of_family;
  }
  return bytes;
}

std::uint64_t Store::bytes() const { return sum_of(database_->families(), {kSortedBytes, kUnsortedBytes}); }
std::uint64_t Store::unsorted_bytes() const { return sum_of(database_->families(), {kUnsortedBytes}); }

}  // namespace leitong::online
