#include "online/store.hpp"

#include <fmt/ranges.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.hpp"
#include "online/store_layout.hpp"

namespace leitong::online {

using namespace layout;

namespace {

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

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& place, const Settings& settings) {
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
  if (fresh && !settings.create)
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  options.create_if_missing = fresh;
  const auto cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (unsigned family = 0; family < kFamilies; ++family)
    families.emplace_back(kFamilyNames[family], options_of(static_cast<Family>(family), cache));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(options, folder, families, &store->families_, &db);
  if (!opened.ok()) return store->failed(opened);
  store->db_.reset(db);
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

Result<std::optional<Maker>> Store::maker() const {
  std::string format, scheme, given, distance, texts;
  rocksdb::Status status = db_->Get({}, slice(kFormatKey), &format);
  // Nothing was ever written: the store is new, or the process that made it was killed before this first
  // commit.
  if (status.IsNotFound() && db_->GetLatestSequenceNumber() == 0) return std::nullopt;
  if (status.ok()) status = db_->Get({}, slice(kSchemeKey), &scheme);
  if (!status.ok()) return failed(status);
  if (format != kFormat)
    return fail(ErrorCode::unsupported, fmt::format("{}: is of the format \"{}\", this program reads \"{}\"",
                                                    place_.string(), format.substr(0, 60), kFormat));
  Maker maker;
  LEITONG_ASSIGN(maker.scheme, parse_scheme(scheme));
  for (const auto& [key, value] :
       {std::pair{kGivenKey, &given}, {kDistanceKey, &distance}, {kTextsKey, &texts}})
    if (status = db_->Get({}, slice(key), value); !status.ok() && !status.IsNotFound()) return failed(status);
  for (std::size_t at = 0; at < given.size();) {
    const std::size_t end = std::min(given.find('\n', at), given.size());
    maker.given.push_back(given.substr(at, end - at));
    at = end + 1;
  }
  std::string_view bytes = distance;
  std::uint32_t bits = 0;
  if (!bytes.empty() && !take(bytes, bits)) return failed(rocksdb::Status::Corruption("the distance"));
  maker.distance = bits;
  maker.keeps_texts = texts.empty();
  return maker;
}

Result<void> Store::set_maker(const Maker& maker) {
  Change change = this->change();
  const auto put = [&](std::string_view key, std::string_view value) {
    change.batch_.Put(families_[kMeta], slice(key), slice(value));
  };
  put(kFormatKey, kFormat);
  put(kSchemeKey, scheme_text(maker.scheme));
  if (!maker.given.empty()) put(kGivenKey, fmt::format("{}", fmt::join(maker.given, "\n")));
  if (maker.distance != 0) put(kDistanceKey, bytes_of(std::uint32_t{maker.distance}));
  if (!maker.keeps_texts) put(kTextsKey, "none");
  return commit(change);
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
  if (!unpack_row(view(value), row)) return failed(rocksdb::Status::Corruption(fmt::format("text {}", text)));
  return true;
}

Result<std::optional<TextNumber>> Store::find(std::string_view id) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get({}, families_[kIds], slice(id), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return failed(status);
  return static_cast<TextNumber>(number_in_key(view(value)));
}

Result<TextNumber> Store::holder(TextNumber seat, const Moment& moment) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(at(moment), families_[kHolders], key_of(seat), &value);
  if (status.IsNotFound()) return seat;
  if (!status.ok()) return failed(status);
  return static_cast<TextNumber>(number_in_key(view(value)));
}

Result<std::optional<TextNumber>> Store::first_link(unsigned family, TextNumber seat) const {
  const std::string prefix = key_of(seat);
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, families_[family]));
  at->Seek(prefix);
  if (!at->status().ok()) return failed(at->status());
  if (!at->Valid() || !view(at->key()).starts_with(prefix)) return std::nullopt;
  return static_cast<TextNumber>(number_in_key(view(at->key()).substr(prefix.size())));
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
    const auto text = static_cast<TextNumber>(number_in_key(view(at->key())));
    if (!unpack_row(view(at->value()), row))
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
    const auto text = static_cast<TextNumber>(number_in_key(view(at_text->key()).substr(prefix.size())));
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
    texts.push_back(static_cast<TextNumber>(number_in_key(view(at_text->key()).substr(prefix.size()))));
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
    const auto moment = static_cast<Seconds>(number_in_key(key.substr(0, sizeof(Seconds))) ^ kSign);
    if (moment >= before) break;
    texts.push_back({moment, static_cast<TextNumber>(number_in_key(key.substr(sizeof(Seconds))))});
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
      if (!each(number_in_key(view(at->key())), view(at->value())))
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
