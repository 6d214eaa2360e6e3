#include "online/store.hpp"

#include <fmt/core.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <bit>
#include <chrono>
#include <cstring>

#include "base/try.hpp"
#include "scheme/scheme_file.hpp"

namespace leitong::online {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they are");

enum Family : unsigned {
  kMeta,
  kTexts,
  kIds,
  kMembers,
  kCopies,
  kHolders,
  kLog,
  kRemoved,
  kFull,
  kSources,
  kExpiry,
  kTemplates,
  kFamilies
};
constexpr std::array<const char*, kFamilies> kFamilyNames = {"default", "texts",   "ids",    "members",
                                                             "copies",  "holders", "log",    "removed",
                                                             "full",    "sources", "expiry", "templates"};
constexpr std::string_view kFormatKey = "format", kSchemeKey = "scheme", kCountsKey = "counts",
                           kSegmentsKey = "segments", kCommittingKey = "committing", kOpenPrefix = "open:";
constexpr std::string_view kFormat = "leitong online index 1";

struct RowHeader {
  std::uint32_t family, content;
  float score, jaccard, containment;
  std::uint32_t text_bytes;
  std::uint16_t id_bytes;
  std::uint8_t verdict;  // with the bits below
  std::uint8_t measure;
};
static_assert(sizeof(RowHeader) == 28);
// What stands behind the id, in this order: the source (after its length, u16), the date, the expiry.
constexpr std::uint8_t kVerdictBits = 3, kOtherWork = 8, kUnchecked = 16, kHasSource = 32, kHasTime = 64,
                       kExpires = 128;

/// Numbers as keys, whose order as bytes is that of the numbers.
template <class T>
void append_key(T number, std::string& key) {
  for (int shift = 8 * (int{sizeof(T)} - 1); shift >= 0; shift -= 8)
    key += static_cast<char>(number >> shift);
}
std::string key_of(TextNumber number) {
  std::string key;
  append_key(number, key);
  return key;
}
std::string link(TextNumber seat, TextNumber text) {
  std::string key = key_of(seat);
  append_key(text, key);
  return key;
}
std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}
std::string source_prefix(std::string_view source) {
  std::string key;
  append_key(static_cast<std::uint16_t>(source.size()), key);
  return key.append(source);
}
std::string source_key(std::string_view source, TextNumber text) {
  std::string key = source_prefix(source);
  append_key(text, key);
  return key;
}
// With the sign bit turned, so that the order as bytes is that of the moments.
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
std::string expiry_key(const Expiring& expiring) {
  std::string key;
  append_key(static_cast<std::uint64_t>(expiring.at) ^ kSign, key);
  append_key(expiring.text, key);
  return key;
}
rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

constexpr std::size_t kKeyBytes = kKeyBits / 8;

std::string packed(const LogEntry& entry) {
  std::string value(bytes_of(entry.record));
  for (const Key key : entry.keys) value.append(bytes_of(key).substr(0, kKeyBytes));
  return value;
}

bool unpack(std::string_view value, LogEntry& entry) {
  if (value.size() < sizeof entry.record || (value.size() - sizeof entry.record) % kKeyBytes != 0)
    return false;
  std::memcpy(&entry.record, value.data(), sizeof entry.record);
  for (value.remove_prefix(sizeof entry.record); !value.empty(); value.remove_prefix(kKeyBytes)) {
    Key key = 0;
    std::memcpy(&key, value.data(), kKeyBytes);
    entry.keys.push_back(key);
  }
  return true;
}

/// Takes the first bytes of `value` as a T. False if there are too few.
template <class T>
bool take(std::string_view& value, T& result) {
  if (value.size() < sizeof result) return false;
  std::memcpy(&result, value.data(), sizeof result);
  value.remove_prefix(sizeof result);
  return true;
}

/// What kHasSource and its like say.
std::string details_of(const Row& row) {
  std::string bytes;
  if (!row.source.empty())
    bytes.append(bytes_of(static_cast<std::uint16_t>(row.source.size()))).append(row.source);
  if (row.time) bytes.append(bytes_of(*row.time));
  if (row.expires) bytes.append(bytes_of(*row.expires));
  return bytes;
}

bool take_details(std::uint8_t bits, std::string_view& value, Row& row) {
  row.unchecked = (bits & kUnchecked) != 0;
  row.other_work = (bits & kOtherWork) != 0;
  row.source.clear();
  row.time.reset();
  row.expires.reset();
  if ((bits & kHasSource) != 0) {
    std::uint16_t size = 0;
    if (!take(value, size) || value.size() < size) return false;
    row.source.assign(value.substr(0, size));
    value.remove_prefix(size);
  }
  if ((bits & kHasTime) != 0 && !take(value, row.time.emplace())) return false;
  return (bits & kExpires) == 0 || take(value, row.expires.emplace());
}

bool unpack(std::string_view value, Row& row) {
  RowHeader header{};
  if (!take(value, header) || value.size() < header.id_bytes ||
      (header.verdict & kVerdictBits) > static_cast<std::uint8_t>(Verdict::near) ||
      header.measure > static_cast<std::uint8_t>(Measure::rare_text))
    return false;
  row.family = header.family;
  row.content = header.content;
  row.verdict = static_cast<Verdict>(header.verdict & kVerdictBits);
  row.measure = static_cast<Measure>(header.measure);
  row.score = header.score;
  row.jaccard = header.jaccard;
  row.containment = header.containment;
  row.text_bytes = header.text_bytes;
  row.id.assign(value.substr(0, header.id_bytes));
  value.remove_prefix(header.id_bytes);
  if (!take_details(header.verdict, value, row)) return false;
  row.packed.assign(value);
  return true;
}

rocksdb::ColumnFamilyOptions options_of(Family family, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.format_version = 5;
  if (family == kIds || family == kHolders)
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = rocksdb::kNoCompression;  // texts are compressed one by one
  options.write_buffer_size = family == kTexts ? std::size_t{64} << 20 : std::size_t{16} << 20;
  return options;
}

}  // namespace

std::filesystem::path segment_path(const std::filesystem::path& place, const SegmentName& name) {
  return place / fmt::format("segment-{:06}.online", name.number);
}

void Change::put_row(TextNumber text, const Row& row) {
  const RowHeader header{
      row.family,
      row.content,
      row.score,
      row.jaccard,
      row.containment,
      row.text_bytes,
      static_cast<std::uint16_t>(row.id.size()),
      static_cast<std::uint8_t>(static_cast<unsigned>(row.verdict) | (row.unchecked ? kUnchecked : 0) |
                                (row.other_work ? kOtherWork : 0) | (row.source.empty() ? 0 : kHasSource) |
                                (row.time ? kHasTime : 0) | (row.expires ? kExpires : 0)),
      static_cast<std::uint8_t>(row.measure)};
  const std::string key = key_of(text), details = details_of(row);
  const rocksdb::Slice key_slice = key;
  const std::array<rocksdb::Slice, 4> value = {slice(bytes_of(header)), row.id, details, row.packed};
  batch_.Put(families_[kTexts], rocksdb::SliceParts(&key_slice, 1), rocksdb::SliceParts(value.data(), 4));
  if (!row.source.empty()) batch_.Put(families_[kSources], source_key(row.source, text), {});
  if (row.expires) batch_.Put(families_[kExpiry], expiry_key({*row.expires, text}), {});
}
void Change::erase_row(TextNumber text, const Row& row) {
  batch_.Delete(families_[kTexts], key_of(text));
  if (!row.source.empty()) batch_.Delete(families_[kSources], source_key(row.source, text));
  if (row.expires) batch_.Delete(families_[kExpiry], expiry_key({*row.expires, text}));
}
void Change::put_id(std::string_view id, TextNumber text) {
  batch_.Put(families_[kIds], slice(id), key_of(text));
}
void Change::erase_id(std::string_view id) { batch_.Delete(families_[kIds], slice(id)); }
void Change::put_member(TextNumber family, TextNumber text) {
  batch_.Put(families_[kMembers], link(family, text), {});
}
void Change::erase_member(TextNumber family, TextNumber text) {
  batch_.Delete(families_[kMembers], link(family, text));
}
void Change::put_copy(TextNumber content, TextNumber text) {
  batch_.Put(families_[kCopies], link(content, text), {});
}
void Change::erase_copy(TextNumber content, TextNumber text) {
  batch_.Delete(families_[kCopies], link(content, text));
}
void Change::put_holder(TextNumber seat, TextNumber text) {
  batch_.Put(families_[kHolders], key_of(seat), key_of(text));
}
void Change::erase_holder(TextNumber seat) { batch_.Delete(families_[kHolders], key_of(seat)); }
void Change::put_log(const LogEntry& entry) {
  batch_.Put(families_[kLog], key_of(entry.text), packed(entry));
}
void Change::put_removed(TextNumber text) { batch_.Put(families_[kRemoved], key_of(text), {}); }
void Change::put_full(Key key) {
  std::string bytes;
  append_key(key, bytes);
  batch_.Put(families_[kFull], bytes, {});
}
void Change::erase_full(Key key) {
  std::string bytes;
  append_key(key, bytes);
  batch_.Delete(families_[kFull], bytes);
}
void Change::put_template(std::uint32_t shingle, Works works) {
  batch_.Put(families_[kTemplates], key_of(shingle), slice(bytes_of(works)));
}
void Change::put_open(std::string_view source, std::uint32_t folder) {
  batch_.Put(families_[kMeta], std::string(kOpenPrefix).append(source), slice(bytes_of(folder)));
}
void Change::erase_open(std::string_view source) {
  batch_.Delete(families_[kMeta], std::string(kOpenPrefix).append(source));
}
void Change::put_committing(std::string_view source, TextNumber first) {
  batch_.Put(families_[kMeta], slice(kCommittingKey), std::string(bytes_of(first)).append(source));
}
void Change::erase_committing() { batch_.Delete(families_[kMeta], slice(kCommittingKey)); }
void Change::erase_removed() {
  batch_.DeleteRange(families_[kRemoved], rocksdb::Slice(), std::string(16, '\xff'));
}
void Change::erase_derived() {
  erase_removed();
  batch_.DeleteRange(families_[kFull], rocksdb::Slice(), std::string(16, '\xff'));
}
void Change::put_counts(const Counts& counts) {
  batch_.Put(families_[kMeta], slice(kCountsKey), slice(bytes_of(counts)));
}
void Change::put_segments(const std::vector<SegmentName>& segments, TextNumber next) {
  const std::string_view bytes(reinterpret_cast<const char*>(segments.data()),
                               segments.size() * sizeof(SegmentName));
  batch_.Put(families_[kMeta], slice(kSegmentsKey), slice(bytes));
  batch_.DeleteRange(families_[kLog], key_of(0), key_of(next));
}

tl::unexpected<Error> Store::failed(const rocksdb::Status& status) const {
  const std::string text = status.ToString();
  if (status.IsIOError() && text.find("lock") != std::string::npos)
    return fail(ErrorCode::io, fmt::format("{}: this index is open elsewhere, in another process or in this "
                                           "one; close it there first",
                                           place_.string()));
  if (status.IsCorruption())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the texts of the index are damaged: {}", place_.string(), text));
  return fail(ErrorCode::io,
              fmt::format("{}: the texts of the index can't be read or written: {}", place_.string(), text));
}

namespace {

tl::unexpected<Error> no_index(const std::filesystem::path& place) {
  return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& place, const Settings& settings,
                                           const SchemeId& scheme) {
  std::unique_ptr<Store> store(new Store(place, settings.durability));
  rocksdb::DBOptions options;
  options.create_missing_column_families = true;
  options.max_background_jobs = 2;
  options.keep_log_file_num = 1;
  options.info_log_level = rocksdb::WARN_LEVEL;
  // What was written last may be cut short. Damage before it would lose what was acknowledged: that is said.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  std::string folder = (place / "texts").string();
  if (place.empty()) {
    store->memory_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    options.env = store->memory_.get();
    folder = "/texts";
  }
  const bool fresh = place.empty() || !std::filesystem::exists(place / "texts" / "CURRENT");
  if (fresh && !settings.create) return no_index(place);
  options.create_if_missing = fresh;
  const auto cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (unsigned family = 0; family < kFamilies; ++family)
    families.emplace_back(kFamilyNames[family], options_of(static_cast<Family>(family), cache));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(options, folder, families, &store->families_, &db);
  if (!opened.ok()) return store->failed(opened);
  store->db_.reset(db);
  LEITONG_TRY(store->check_scheme(scheme, settings.create));
  if (settings.durability == Durability::everysec)
    store->sync_thread_ = std::thread([raw = store.get()] { raw->sync_every_second(); });
  return store;
}

Store::~Store() {
  {
    const std::scoped_lock lock(sync_mutex_);
    stopping_ = true;
  }
  sync_stop_.notify_all();
  if (sync_thread_.joinable()) sync_thread_.join();
  if (db_ == nullptr) return;
  // RocksDB ends the process where a log that could not be written is synchronised.
  if (durability_ != Durability::sync && !must_resume_) db_->SyncWAL();
  for (rocksdb::ColumnFamilyHandle* family : families_) db_->DestroyColumnFamilyHandle(family);
  db_->Close();
}

void Store::sync_every_second() {
  std::unique_lock lock(sync_mutex_);
  while (!sync_stop_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; })) {
    const std::scoped_lock one_at_a_time(committing_);
    // A failure makes the next commit fail, too.
    if (!must_resume_) must_resume_ = !db_->SyncWAL().ok();
  }
}

Result<void> Store::check_scheme(const SchemeId& scheme, bool create) {
  std::string format, stored;
  rocksdb::Status status = db_->Get({}, slice(kFormatKey), &format);
  // Nothing was ever written: the store is new, or the process that made it was killed before this first
  // commit.
  if (status.IsNotFound() && db_->GetLatestSequenceNumber() == 0) {
    if (!create) return no_index(place_);
    Change change = this->change();
    change.batch_.Put(families_[kMeta], slice(kFormatKey), slice(kFormat));
    change.batch_.Put(families_[kMeta], slice(kSchemeKey), scheme_text(scheme));
    return commit(change);
  }
  if (status.ok()) status = db_->Get({}, slice(kSchemeKey), &stored);
  if (!status.ok()) return failed(status);
  if (format != kFormat)
    return fail(ErrorCode::unsupported, fmt::format("{}: is of the format \"{}\", this program reads \"{}\"",
                                                    place_.string(), format.substr(0, 60), kFormat));
  LEITONG_ASSIGN(SchemeId made_by, parse_scheme(stored));
  return check_same_scheme({place_.native(), std::move(made_by)}, {"this program", scheme});
}

namespace {

rocksdb::ReadOptions at(const Moment& moment) {
  rocksdb::ReadOptions options;
  options.snapshot = moment.get();
  return options;
}

}  // namespace

Moment Store::moment() const {
  return {db_->GetSnapshot(), [db = db_.get()](const rocksdb::Snapshot* s) { db->ReleaseSnapshot(s); }};
}

Result<bool> Store::read(TextNumber text, Row& row, const Moment& moment) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(at(moment), families_[kTexts], key_of(text), &value);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return failed(status);
  if (!unpack(view(value), row)) return failed(rocksdb::Status::Corruption(fmt::format("text {}", text)));
  return true;
}

Result<std::optional<TextNumber>> Store::find(std::string_view id) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get({}, families_[kIds], slice(id), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return failed(status);
  return static_cast<TextNumber>(number_in(view(value)));
}

Result<TextNumber> Store::holder(TextNumber seat, const Moment& moment) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(at(moment), families_[kHolders], key_of(seat), &value);
  if (status.IsNotFound()) return seat;
  if (!status.ok()) return failed(status);
  return static_cast<TextNumber>(number_in(view(value)));
}

Result<std::optional<TextNumber>> Store::first_link(unsigned family, TextNumber seat) const {
  const std::string prefix = key_of(seat);
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, families_[family]));
  at->Seek(prefix);
  if (!at->status().ok()) return failed(at->status());
  if (!at->Valid() || !view(at->key()).starts_with(prefix)) return std::nullopt;
  return static_cast<TextNumber>(number_in(view(at->key()).substr(prefix.size())));
}
Result<std::optional<TextNumber>> Store::first_member(TextNumber family) const {
  return first_link(kMembers, family);
}
Result<std::optional<TextNumber>> Store::first_copy(TextNumber content) const {
  return first_link(kCopies, content);
}

Result<void> Store::for_each(const std::function<Result<void>(TextNumber, const Row&)>& each,
                             const Moment& moment) const {
  rocksdb::ReadOptions options = at(moment);
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options, families_[kTexts]));
  Row row;
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    const auto text = static_cast<TextNumber>(number_in(view(at->key())));
    if (!unpack(view(at->value()), row))
      return failed(rocksdb::Status::Corruption(fmt::format("text {}", text)));
    LEITONG_TRY(each(text, row));
  }
  if (!at->status().ok()) return failed(at->status());
  return {};
}

Result<void> Store::for_each_of(std::string_view source,
                                const std::function<Result<void>(TextNumber, const Row&)>& each,
                                const Moment& moment) const {
  const std::string prefix = source_prefix(source);
  const std::unique_ptr<rocksdb::Iterator> at_text(db_->NewIterator(at(moment), families_[kSources]));
  Row row;
  for (at_text->Seek(prefix); at_text->Valid() && view(at_text->key()).starts_with(prefix); at_text->Next()) {
    const auto text = static_cast<TextNumber>(number_in(view(at_text->key()).substr(prefix.size())));
    LEITONG_ASSIGN(const bool there, read(text, row, moment));
    if (!there) return failed(rocksdb::Status::Corruption(fmt::format("text {} is missing", text)));
    LEITONG_TRY(each(text, row));
  }
  if (!at_text->status().ok()) return failed(at_text->status());
  return {};
}

Result<std::vector<TextNumber>> Store::latest_of(std::string_view source, TextNumber below,
                                                 std::size_t most) const {
  const std::string prefix = source_prefix(source);
  const std::unique_ptr<rocksdb::Iterator> at_text(db_->NewIterator({}, families_[kSources]));
  std::vector<TextNumber> texts;
  if (below == 0) return texts;
  for (at_text->SeekForPrev(source_key(source, below - 1));
       texts.size() < most && at_text->Valid() && view(at_text->key()).starts_with(prefix); at_text->Prev())
    texts.push_back(static_cast<TextNumber>(number_in(view(at_text->key()).substr(prefix.size()))));
  if (!at_text->status().ok()) return failed(at_text->status());
  return texts;
}

Result<std::vector<Expiring>> Store::expired(Seconds before, std::optional<Expiring> after,
                                             std::size_t most) const {
  const std::unique_ptr<rocksdb::Iterator> at_text(db_->NewIterator({}, families_[kExpiry]));
  std::vector<Expiring> texts;
  if (!after)
    at_text->SeekToFirst();
  else
    at_text->Seek(expiry_key(*after) + '\0');
  for (; texts.size() < most && at_text->Valid(); at_text->Next()) {
    const std::string_view key = view(at_text->key());
    const auto moment = static_cast<Seconds>(number_in(key.substr(0, sizeof(Seconds))) ^ kSign);
    if (moment >= before) break;
    texts.push_back({moment, static_cast<TextNumber>(number_in(key.substr(sizeof(Seconds))))});
  }
  if (!at_text->status().ok()) return failed(at_text->status());
  return texts;
}

Result<Beginning> Store::begin() const {
  Beginning beginning;
  std::string value;
  rocksdb::Status status = db_->Get({}, slice(kSegmentsKey), &value);
  if (!status.ok() && !status.IsNotFound()) return failed(status);
  if (status.ok()) {
    beginning.segments.resize(value.size() / sizeof(SegmentName));
    std::memcpy(static_cast<void*>(beginning.segments.data()), value.data(),
                beginning.segments.size() * sizeof(SegmentName));
  }
  status = db_->Get({}, slice(kCountsKey), &value);
  if (!status.ok() && !status.IsNotFound()) return failed(status);
  if (status.ok() && value.size() == sizeof(Counts))
    std::memcpy(&beginning.counts, value.data(), value.size());
  const auto scan = [&](Family family, const auto& each) -> Result<void> {
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, families_[family]));
    for (at->SeekToFirst(); at->Valid(); at->Next())
      if (!each(number_in(view(at->key())), view(at->value())))
        return failed(rocksdb::Status::Corruption(fmt::format("a row of {}", kFamilyNames[family])));
    if (!at->status().ok()) return failed(at->status());
    return {};
  };
  const std::unique_ptr<rocksdb::Iterator> open(db_->NewIterator({}, families_[kMeta]));
  for (open->Seek(slice(kOpenPrefix)); open->Valid() && view(open->key()).starts_with(kOpenPrefix);
       open->Next()) {
    OpenSource& source = beginning.open.emplace_back();
    source.name = view(open->key()).substr(kOpenPrefix.size());
    std::string_view bytes = view(open->value());
    if (!take(bytes, source.folder)) return failed(rocksdb::Status::Corruption("a source"));
  }
  if (!open->status().ok()) return failed(open->status());
  status = db_->Get({}, slice(kCommittingKey), &value);
  if (!status.ok() && !status.IsNotFound()) return failed(status);
  if (std::string_view bytes = value; status.ok()) {
    Committing& committing = beginning.committing.emplace();
    if (!take(bytes, committing.first)) return failed(rocksdb::Status::Corruption("a source"));
    committing.name = bytes;
  }
  LEITONG_TRY(scan(kLog, [&](std::uint64_t text, std::string_view bytes) {
    LogEntry& entry = beginning.log.emplace_back();
    entry.text = static_cast<TextNumber>(text);
    return unpack(bytes, entry);
  }));
  LEITONG_TRY(scan(kTemplates, [&](std::uint64_t shingle, std::string_view bytes) {
    Works works = 0;
    if (!take(bytes, works) || works == 0 || beginning.templates.full()) return false;
    beginning.templates.set(static_cast<std::uint32_t>(shingle), works);
    return true;
  }));
  LEITONG_TRY(scan(kFull, [&](std::uint64_t key, std::string_view) {
    beginning.full.push_back(key);
    return true;
  }));
  LEITONG_TRY(scan(kRemoved, [&](std::uint64_t text, std::string_view) {
    beginning.removed.push_back(static_cast<TextNumber>(text));
    return true;
  }));
  return beginning;
}

Result<void> Store::commit(Change& change, bool wait) {
  const std::scoped_lock lock(committing_);
  if (must_resume_) {
    if (const rocksdb::Status status = db_->Resume(); !status.ok()) return failed(status);
    must_resume_ = false;
  }
  rocksdb::WriteOptions options;
  options.sync = wait && durability_ == Durability::sync && !place_.empty();
  const rocksdb::Status status = db_->Write(options, &change.batch_);
  if (status.ok()) return {};
  must_resume_ = true;
  return failed(status);
}

Result<void> Store::sync() {
  if (durability_ != Durability::sync || place_.empty()) return {};
  const std::scoped_lock lock(committing_);
  const rocksdb::Status status = db_->SyncWAL();
  if (status.ok()) return {};
  must_resume_ = true;
  return failed(status);
}

Result<void> Store::copy_to(const std::filesystem::path& place) const {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint((place / "texts").string());
  if (!status.ok()) return failed(status);
  return {};
}

Result<void> Store::compact() {
  for (rocksdb::ColumnFamilyHandle* family : families_)
    if (const rocksdb::Status status = db_->CompactRange({}, family, nullptr, nullptr); !status.ok())
      return failed(status);
  return {};
}

Result<void> Store::verify() const {
  const rocksdb::Status status = db_->VerifyChecksum();
  if (!status.ok()) return failed(status);
  return for_each([](TextNumber, const Row&) -> Result<void> { return {}; });
}

std::uint64_t Store::bytes() const {
  std::uint64_t bytes = 0;
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    std::uint64_t of_family = 0;
    for (const char* property : {"rocksdb.total-sst-files-size", "rocksdb.cur-size-all-mem-tables"})
      if (db_->GetIntProperty(family, property, &of_family)) bytes += of_family;
  }
  return bytes;
}

}  // namespace leitong::online
