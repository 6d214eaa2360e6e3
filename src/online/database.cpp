#include "online/database.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/transaction_log.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/try.hpp"
#include "io/staged.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

namespace {

/// RocksDB's own log would end the process on a full disk: the builds of distributions assert that a file
/// that failed once isn't written again, and this log is. What matters comes as a status.
class NoLog final : public rocksdb::Logger {
 public:
  void Logv(const char*, va_list) override {}
};

// Files that who reads alone has open: an index may have thousands.
constexpr int kFilesOfReader = 128;

}  // namespace

std::shared_ptr<rocksdb::Logger> Database::no_log() { return std::make_shared<NoLog>(); }

Database::Database(fs::path place, Durability durability,
                   std::vector<rocksdb::ColumnFamilyDescriptor> families, bool logs)
    : place_(std::move(place)), durability_(durability), descriptors_(std::move(families)), logs_(logs) {
  families_.reserve(descriptors_.size());
}

tl::unexpected<Error> Database::failed(const rocksdb::Status& status) const {
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

Result<std::unique_ptr<Database>> Database::open(const fs::path& place, bool create, Durability durability,
                                                 LogOfWrites log,
                                                 std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  std::unique_ptr<Database> database(
      new Database(place, durability, std::move(families), log != LogOfWrites::none));
  const bool fresh = place.empty() || !is_in(place);
  if (fresh && !create)
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  if (place.empty()) database->memory_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  if (const rocksdb::Status opened = database->open_with_log(fresh, log); !opened.ok())
    return database->failed(opened);
  if (!place.empty()) {
    // Missing, it would have damage be an error that a power failure left: so it is durable before anything
    // is.
    const fs::path path = place / "durable";
    database->durable_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (database->durable_ < 0 || (fresh && ::fsync(database->durable_) != 0))
      return fail(ErrorCode::io,
                  fmt::format("{}: can't be written: {}", path.string(), std::strerror(errno)));
    if (fresh) LEITONG_TRY(sync_folder_of(path));
    // Opening has written what the log held to files that are durable.
    database->note_durable();
  }
  if (durability == Durability::everysec)
    database->sync_thread_ = std::thread([raw = database.get()] { raw->sync_every_second(); });
  return database;
}

bool Database::is_in(const fs::path& place) {
  std::error_code error;  // what can't be looked at is none
  return fs::exists(place / "texts" / "CURRENT", error);
}

Result<std::unique_ptr<Database>> Database::open_to_read(
    const fs::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  if (!is_in(place))
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  std::unique_ptr<Database> database(new Database(place, Durability::none, std::move(families)));
  LEITONG_TRY(database->keep_writers_out());
  if (const rocksdb::Status opened = database->open_files(false, true, LogOfWrites::whole); !opened.ok())
    return database->failed(opened);
  return database;
}

// Who writes locks RocksDB's file LOCK as a process. A lock of this descriptor, for reading, goes together
// with others of its kind, but not with that one.
Result<void> Database::keep_writers_out() {
  const fs::path path = place_ / "texts" / "LOCK";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(ErrorCode::io, fmt::format("{}: can't be read: {}", path.string(), std::strerror(errno)));
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(file, F_OFD_SETLK, &whole) == 0) {
    lock_ = file;
    return {};
  }
  const int error = errno;
  // Closing any descriptor of the file would end the lock of this process, if it is the one that writes: then
  // this descriptor stays open.
  if (::fcntl(file, F_OFD_GETLK, &whole) != 0 || whole.l_type == F_UNLCK || whole.l_pid != ::getpid())
    ::close(file);
  if (error == EAGAIN || error == EACCES) return failed(rocksdb::Status::IOError("lock"));
  return fail(ErrorCode::io, fmt::format("{}: can't be locked: {}", path.string(), std::strerror(error)));
}

// What was written last can be damaged by a power failure, where pages reach the disk in any order. Damage
// before that would lose what was acknowledged: it is said, and nothing is changed.
rocksdb::Status Database::open_with_log(bool create, LogOfWrites log) {
  const rocksdb::Status status = open_files(create, false, log);
  if (!status.IsCorruption() || log == LogOfWrites::until_damage || place_.empty()) return status;
  return lost_nothing_durable() ? open_files(false, false, LogOfWrites::until_damage) : status;
}

/// Are all writes that are known to be durable before the first damage in the log?
bool Database::lost_nothing_durable() {
  std::uint64_t durable = 0;
  const std::string path = (place_ / "durable").string();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = ::pread(file, &durable, sizeof durable, 0);  // none: nothing was written as yet
  ::close(file);
  if (got < 0 || !open_files(false, true, LogOfWrites::until_damage).ok()) return false;
  const std::uint64_t there = db_->GetLatestSequenceNumber();
  close_files();
  return there >= durable;
}

/// Not synchronised itself: after a power failure an earlier number may stand there, and after anything else
/// this one.
void Database::note_durable() const {
  const std::uint64_t number = db_->GetLatestSequenceNumber();
  if (durable_ >= 0 && ::pwrite(durable_, &number, sizeof number, 0) < 0) return;  // as if power had failed
}

rocksdb::Status Database::sync_log() {
  const rocksdb::Status status = db_->SyncWAL();
  if (status.ok()) note_durable();
  return status;
}

rocksdb::Status Database::open_files(bool create, bool read_only, LogOfWrites log) {
  rocksdb::DBOptions options;
  options.create_if_missing = create;
  options.create_missing_column_families = true;
  options.max_background_jobs = 2;
  if (lock_ >= 0) options.max_open_files = kFilesOfReader;
  // Without a log the families keep what they have last in an order that only one thread at a time can add
  // to.
  options.allow_concurrent_memtable_write = logs_;
  options.info_log = no_log();
  options.wal_recovery_mode = log == LogOfWrites::until_damage
                                  ? rocksdb::WALRecoveryMode::kPointInTimeRecovery
                                  : rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  if (memory_) options.env = memory_.get();
  const std::string folder = memory_ ? "/texts" : (place_ / "texts").string();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      read_only ? rocksdb::DB::OpenForReadOnly(options, folder, descriptors_, &families_, &db)
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
  // RocksDB ends the process where a log that could not be written is synchronised.
  if (db_ != nullptr && !broken_ && lock_ < 0 && logs_ && !memory_) {
    if (is_log_long())
      static_cast<void>(flush());  // or else who opens it reads the log again
    else if (durability_ != Durability::sync)
      sync_log();
  }
  close_files();
  if (lock_ >= 0) ::close(lock_);
  if (durable_ >= 0) ::close(durable_);
}

// Would it take long to read what was written last from the log again?
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
    // A failure is mended by the next write.
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

// A log is cut where RocksDB has it open, too: it writes there no more.
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
  int none = 0;
  if (!users_.compare_exchange_strong(none, kClosed))
    return fail(ErrorCode::io,
                fmt::format("{}: a write failed; texts can be added again when what reads all texts (an "
                            "export, a snapshot, a verification) has ended",
                            place_.string()));
  // Before and after: closing may give the file the length that RocksDB knows.
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
    // Once opened again it may take what it refused: a failure is often the only one.
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
  // Opening writes what the log holds to files that are durable.
  return open_again();
}

}  // namespace leitong::online
