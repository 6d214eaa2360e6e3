#include "online/database.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/transaction_log.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/system.hpp"
#include "base/thread.hpp"
#include "base/try.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

namespace {

/// RocksDB's own log can end the process on a full disk: distributions build it with an assertion that a file
/// is not written again after a failure, but its log is written again. Errors arrive as a status anyway.
class NoLog final : public rocksdb::Logger {
 public:
  void Logv(const char*, va_list) override {}
};

/// The name of the file follows these words of RocksDB; the path may contain anything.
bool is_locked(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  return status.IsIOError() && (text.starts_with("IO error: lock hold by current process") ||
                                text.starts_with("IO error: While lock file"));
}

/// Does the failure only forbid writing, so that reading is safe? After other failures the state is unknown.
bool forbids_writing_alone(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  const auto ends_with = [&](int error) { return text.ends_with(std::strerror(error)); };
  return status.IsNoSpace() ||
         (status.IsIOError() && (ends_with(EROFS) || ends_with(EACCES) || ends_with(EDQUOT)));
}

// A reader has at most so many files open, because an index may have thousands.
constexpr int kFilesOfReader = 128;

// The manifest is read when an index is opened, and again after each change.
constexpr std::uint64_t kLongestManifest = std::uint64_t{4} << 20;

// RocksDB starts threads and ends the process if it cannot. It needs so many for background work, and so many
// to open files if there are many.
constexpr std::size_t kThreads = 3, kOpeningThreads = 16, kManyFiles = 64;

Result<void> check_threads() {
  if (threads_to_be_had(kThreads) == kThreads) return {};
  LEITONG_ASSIGN(std::thread one, start_thread([] {}));
  one.join();
  return fail(ErrorCode::io,
              fmt::format("an index needs {} threads beside the caller's, and the system allows fewer "
                          "(ulimit -u, ulimit -v, pids.max)",
                          kThreads));
}

int opening_threads(const fs::path& folder) {
  std::size_t files = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    files += entry.path().extension() == ".sst";
  return files < kManyFiles ? 1
                            : static_cast<int>(std::max<std::size_t>(1, threads_to_be_had(kOpeningThreads)));
}

/// The latest log; the folder itself if there is none.
fs::path last_log(const fs::path& folder) {
  fs::path last;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".log") last = std::max(last, entry.path());
  return last.empty() ? folder : last;
}

}  // namespace

std::shared_ptr<rocksdb::Logger> Database::no_log() { return std::make_shared<NoLog>(); }

Database::Database(fs::path place, Durability durability,
                   std::vector<rocksdb::ColumnFamilyDescriptor> families, bool logs)
    : place_(std::move(place)), durability_(durability), descriptors_(std::move(families)), logs_(logs) {
  families_.reserve(descriptors_.size());
}

tl::unexpected<Error> Database::open_elsewhere() const {
  return fail(ErrorCode::io, fmt::format("{}: this index is open elsewhere, in another process or in this "
                                         "one; close it there first",
                                         place_.string()));
}

tl::unexpected<Error> Database::failed(const rocksdb::Status& status) const {
  const std::string text = status.ToString();
  if (is_locked(status)) return open_elsewhere();
  if (status.IsCorruption())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the texts of the index are damaged: {}", place_.string(), text));
  return fail(ErrorCode::io,
              fmt::format("{}: the texts of the index can't be read or written: {}", place_.string(), text));
}

Result<std::unique_ptr<Database>> Database::open(const fs::path& place, bool create, Durability durability,
                                                 LogOfWrites log,
                                                 std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  LEITONG_TRY(check_threads());
  std::unique_ptr<Database> database(
      new Database(place, durability, std::move(families), log != LogOfWrites::none));
  bool is_there = false;
  if (!place.empty()) {
    LEITONG_ASSIGN(is_there, holds_index(place));
  }
  if (!is_there && !place.empty() && !create)
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  if (place.empty()) database->memory_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  if (is_there && log != LogOfWrites::until_damage) LEITONG_TRY(database->compare_with_durable());
  LEITONG_TRY(database->open_to_write(!is_there));
  if (durability == Durability::everysec && !database->is_read_only()) {
    LEITONG_ASSIGN(database->sync_thread_,
                   start_thread([raw = database.get()] { raw->sync_every_second(); }));
  }
  return database;
}

Result<void> Database::open_to_write(bool fresh) {
  if (const rocksdb::Status opened = open_files(fresh, false); !opened.ok()) {
    if (fresh || !forbids_writing_alone(opened)) return failed(opened);
    return open_read_only(opened.ToString());
  }
  if (place_.empty()) return {};
  if (auto mark = DurableMark::open(place_)) {
    durable_ = std::move(*mark);
  } else {
    if (fresh) return tl::unexpected<Error>(std::move(mark).error());
    close_files();
    return open_read_only(mark.error().message);
  }
  // Opening has written the contents of the log to durable files.
  note_durable();
  return {};
}

/// `why`: the reason why the database cannot be written.
Result<void> Database::open_read_only(const std::string& why) {
  LEITONG_TRY(keep_writers_out());
  if (const rocksdb::Status read = open_files(false, true); !read.ok()) return failed(read);
  broken_ = true;
  why_read_only_ =
      Error{ErrorCode::io, fmt::format("{}: the folder can't be written, so that the index is read only: {}",
                                       place_.string(), why)};
  return {};
}

Result<std::unique_ptr<Database>> Database::open_to_read(
    const fs::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  LEITONG_ASSIGN(const bool is_there, holds_index(place));
  if (!is_there) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  std::unique_ptr<Database> database(new Database(place, Durability::none, std::move(families)));
  LEITONG_TRY(database->compare_with_durable());
  LEITONG_TRY(database->keep_writers_out());
  if (const rocksdb::Status opened = database->open_files(false, true); !opened.ok())
    return database->failed(opened);
  return database;
}

Result<std::unique_ptr<Database>> Database::open_damaged(
    const fs::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  std::unique_ptr<Database> database(new Database(place, Durability::none, std::move(families)));
  LEITONG_TRY(database->keep_writers_out());
  rocksdb::DBOptions options = database->options();
  options.paranoid_checks = false;
  if (const rocksdb::Status opened = database->open_files(options, true); !opened.ok())
    return database->failed(opened);
  return database;
}

// A writer locks RocksDB's file LOCK for its process. This descriptor takes a shared lock, which other
// readers can share but a writer cannot.
Result<void> Database::keep_writers_out() {
  const fs::path path = place_ / "texts" / "LOCK";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(ErrorCode::io, fmt::format("{}: can't be read: {}", path.string(), std::strerror(errno)));
  const system::Lock lock = system::shared_lock(file);
  const int error = errno;
  if (lock == system::Lock::held) {
    lock_ = file;
    return {};
  }
  // If this process is the writer, closing any descriptor of the file would release its lock, so this
  // descriptor stays open.
  if (lock != system::Lock::held_here) ::close(file);
  if (lock != system::Lock::failed) return open_elsewhere();
  return fail(ErrorCode::io, fmt::format("{}: can't be locked: {}", path.string(), std::strerror(error)));
}

// RocksDB accepts a log that was cut or lacks writes, and forgets files that a cut manifest does not name. So
// the files are compared with what is known to be durable before anything changes. A power failure can damage
// the latest writes, because pages reach the disk in any order, but these were not durable. All families are
// opened, because RocksDB skips logs that the opened families do not need.
Result<void> Database::compare_with_durable() {
  LEITONG_ASSIGN(const Durable durable, read_durable(place_));
  const fs::path folder = place_ / "texts";
  std::error_code none_yet;
  if (fs::exists(folder / "LOCK", none_yet)) LEITONG_TRY(keep_writers_out());
  const auto compare = [&]() -> Result<void> {
    LEITONG_TRY(check_manifest(place_, durable));
    std::vector<std::string> names;
    rocksdb::DB* opened = nullptr;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::Status status = rocksdb::DB::ListColumnFamilies(options(), folder.string(), &names);
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    if (status.ok())
      status = rocksdb::DB::OpenForReadOnly(options(), folder.string(), families, &handles, &opened);
    const std::unique_ptr<rocksdb::DB> db(opened);
    if (!status.ok()) return failed(status);
    const std::uint64_t there = db->GetLatestSequenceNumber();
    for (rocksdb::ColumnFamilyHandle* family : handles) db->DestroyColumnFamilyHandle(family);
    if (there >= durable.write) return {};
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the log of writes is cut or damaged: of {} writes that were durable the "
                            "first {} are there",
                            last_log(folder).string(), durable.write, there));
  };
  Result<void> whole = compare();
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
  return whole;
}

void Database::note_durable() const {
  if (durable_) durable_->note(db_->GetLatestSequenceNumber());
}

rocksdb::Status Database::sync_log() {
  rocksdb::Status status = db_->SyncWAL();
  if (status.ok()) note_durable();
  return status;
}

rocksdb::DBOptions Database::options() const {
  rocksdb::DBOptions options;
  options.create_missing_column_families = true;
  options.max_background_jobs = 2;
  options.max_manifest_file_size = kLongestManifest;
  // Otherwise RocksDB reserves 76 MB of the disk for the log and the manifest of an open index.
  options.allow_fallocate = false;
  if (lock_ >= 0) options.max_open_files = kFilesOfReader;
  if (!memory_) options.max_file_opening_threads = opening_threads(place_ / "texts");
  options.stats_dump_period_sec = options.stats_persist_period_sec = 0;  // their log is not kept
  // Without a log the memtables have a form that only one thread at a time can add to.
  options.allow_concurrent_memtable_write = logs_;
  options.info_log = no_log();
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  if (memory_) options.env = memory_.get();
  return options;
}

rocksdb::Status Database::open_files(bool create, bool read_only) {
  rocksdb::DBOptions options = this->options();
  options.create_if_missing = create;
  return open_files(options, read_only);
}

rocksdb::Status Database::open_files(const rocksdb::DBOptions& options, bool read_only) {
  const std::string folder = memory_ ? "/texts" : (place_ / "texts").string();
  rocksdb::DB* db = nullptr;
  rocksdb::Status status = read_only
                               ? rocksdb::DB::OpenForReadOnly(options, folder, descriptors_, &families_, &db)
                               : rocksdb::DB::Open(options, folder, descriptors_, &families_, &db);
  db_.reset(db);
  return status;
}

void Database::close_files() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* family : families_) db_->DestroyColumnFamilyHandle(family);
  families_.clear();
  db_->Close();
  db_.reset();
}

Database::~Database() {
  {
    const std::scoped_lock lock(stop_mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  if (sync_thread_.joinable()) sync_thread_.join();
  // RocksDB ends the process if it syncs a log that could not be written.
  if (db_ != nullptr && !broken_ && lock_ < 0 && logs_ && !memory_) {
    if (is_log_long())
      static_cast<void>(flush());  // otherwise the next opening reads the log again
    else if (durability_ != Durability::sync)
      sync_log();
  }
  close_files();
  if (durable_) durable_->note_files();  // threads of RocksDB may have changed them since
  if (lock_ >= 0) ::close(lock_);
}

// Would it take long to read the latest writes from the log again?
bool Database::is_log_long() const {
  constexpr std::uint64_t kLong = std::uint64_t{8} << 20;
  rocksdb::VectorLogPtr files;
  std::uint64_t bytes = 0;
  if (db_->GetSortedWalFiles(files).ok())
    for (const auto& file : files) bytes += file->SizeFileBytes();
  return bytes > kLong;
}

void Database::sync_every_second() {
  std::unique_lock lock(stop_mutex_);
  while (!stop_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; })) {
    const std::scoped_lock one_at_a_time(writing_);
    // The next write repairs a failure.
    if (!broken_) broken_ = !sync_log().ok();
  }
}

Result<Database::Use> Database::use() const {
  for (int users = users_.load();;) {
    if (users == kClosed) {
      users_.wait(kClosed);
      users = users_.load();
    } else if (users_.compare_exchange_weak(users, users + 1)) {
      break;
    }
  }
  Use use(*this);
  if (db_ == nullptr)
    return fail(ErrorCode::io,
                fmt::format("{}: the disk failed, and the index could not be opened again; the next addition "
                            "tries it again",
                            place_.string()));
  return use;
}

// The log is cut even if RocksDB has it open, because RocksDB no longer writes to it.
rocksdb::Status Database::cut_log(const LogEnd& end) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(place_ / "texts", error)) {
    if (entry.path().extension() != ".log") continue;
    const std::uint64_t number = std::strtoull(entry.path().stem().c_str(), nullptr, 10);
    const std::uint64_t size = number == end.number ? end.size : 0;
    if (number < end.number || entry.file_size(error) <= size || error) continue;
    fs::resize_file(entry.path(), size, error);
    if (error) break;
  }
  return error ? rocksdb::Status::IOError("what was refused can't be taken out of the log", error.message())
               : rocksdb::Status::OK();
}

Result<void> Database::open_again() {
  if (why_read_only_) return tl::unexpected<Error>(*why_read_only_);
  int none = 0;
  if (!users_.compare_exchange_strong(none, kClosed))
    return fail(ErrorCode::io,
                fmt::format("{}: a write failed; texts can be added again when what reads all texts (an "
                            "export, a snapshot, a verification) has ended",
                            place_.string()));
  // The log is cut before and after closing, because closing may restore the length that RocksDB knows.
  rocksdb::Status status = refused_ ? cut_log(*refused_) : rocksdb::Status::OK();
  if (status.ok()) {
    close_files();
    if (refused_) status = cut_log(*refused_);
    if (status.ok()) status = open_files(false, false);
    if (!status.ok()) open_files(false, true);
  }
  users_ = 0;
  users_.notify_all();
  if (!status.ok()) return failed(status);
  broken_ = false;
  refused_.reset();
  return {};
}

Result<void> Database::make_writable() {
  const std::scoped_lock lock(writing_);
  return broken_ ? open_again() : Result<void>{};
}

Result<void> Database::write(rocksdb::WriteBatch& batch, bool wait) {
  rocksdb::WriteOptions options;
  options.sync = wait && syncs() && logs_;
  options.disableWAL = !logs_;
  const std::scoped_lock lock(writing_);
  if (memory_ || !logs_) {
    const rocksdb::Status status = db_->Write(options, &batch);
    return status.ok() ? Result<void>{} : failed(status);
  }
  if (broken_) LEITONG_TRY(open_again());
  for (const bool is_last : {false, true}) {
    std::unique_ptr<rocksdb::LogFile> log;
    rocksdb::Status status = db_->GetCurrentWalFile(&log);
    if (!status.ok()) return failed(status);
    const LogEnd end{log->LogNumber(), log->SizeFileBytes()};
    status = db_->Write(options, &batch);
    if (status.ok()) {
      if (options.sync) note_durable();
      break;
    }
    broken_ = true;
    refused_ = end;
    // Many failures are temporary, so the database may accept the write after it was opened again.
    if (is_last || !open_again()) return failed(status);
  }
  return {};
}

Result<void> Database::flush() {
  const rocksdb::Status status = db_->Flush({}, families_);
  if (!status.ok()) return failed(status);
  note_durable();
  return {};
}

Result<void> Database::sync() {
  if (memory_) return {};
  const std::scoped_lock lock(writing_);
  if (!broken_) {
    if (sync_log().ok()) return {};
    broken_ = true;
  }
  // Opening writes the contents of the log to durable files.
  return open_again();
}

}  // namespace leitong::online
