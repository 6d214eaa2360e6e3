// Reads a database while another process writes it. RocksDB shows what was written; this shows only what is
// durable, because followers keep what they receive.
#include <fcntl.h>
#include <rocksdb/options.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/try.hpp"
#include "online/database.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

namespace {

// A writer with the durability everysec takes a second. Whether a writer exists is checked when it takes
// longer than usual.
constexpr std::chrono::milliseconds kLongestWait{2000}, kUsualWait{100}, kPause{2};

/// Before a log is removed, the manifest says what was flushed and which logs are gone.
std::uintmax_t manifest_bytes(const fs::path& place, const std::string& opening) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(place / "texts" / opening, error);
  return error ? 0 : bytes;
}

}  // namespace

std::unique_ptr<Database> Database::to_follow(const fs::path& place,
                                              std::vector<rocksdb::ColumnFamilyDescriptor> families) {
  return std::unique_ptr<Database>(new Database(place, Durability::sync, std::move(families)));
}

// A log that is removed after the manifest and before the logs are read would be missed. The manifest has
// then grown, and everything is read again.
rocksdb::Status Database::catch_up() {
  for (;;) {
    const std::string opening = manifest_name(place_);
    const std::uintmax_t manifest = manifest_bytes(place_, opening);
    rocksdb::Status status;
    if (db_ != nullptr && opening == opening_) status = db_->TryCatchUpWithPrimary();
    if (db_ == nullptr || opening != opening_ || !status.ok()) {
      close_files();
      rocksdb::DBOptions options;
      options.max_open_files = -1;  // files stay readable after the writer removed them
      options.info_log = no_log();
      options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
      rocksdb::DB* db = nullptr;
      status = rocksdb::DB::OpenAsSecondary(options, (place_ / "texts").string(), (place_ / "texts").string(),
                                            descriptors_, &families_, &db);
      db_.reset(db);
      opening_ = opening;
    }
    if (!status.ok() || (manifest_name(place_) == opening && manifest_bytes(place_, opening) == manifest))
      return status;
  }
}

Result<bool> Database::show_durable() {
  const auto begun = std::chrono::steady_clock::now(), end = begun + kLongestWait;
  rocksdb::Status status;
  for (auto now = begun, patience = begun + kUsualWait; now < end; now = std::chrono::steady_clock::now()) {
    // Files may be removed while they are opened, and a writer may start or end.
    if (status = catch_up(); !status.ok()) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    const std::uint64_t shown = db_->GetLatestSequenceNumber();
    for (; now < patience; now = std::chrono::steady_clock::now()) {
      // A manifest that is being written cannot be read for a moment.
      const std::uint64_t noted = read_durable(place_).value_or(Durable()).write;
      const bool durable = noted >= shown || made_durable_ >= shown;
      // A writer that undid a write has opened the database again.
      if (manifest_name(place_) != opening_) break;
      if (durable) return true;
      std::this_thread::sleep_for(kPause);
    }
    // Nothing that was read too early may stay in memory.
    close_files();
    LEITONG_ASSIGN(const bool made, make_durable());
    if (made) return true;
    patience = end;
  }
  if (!status.ok()) return failed(status);
  return false;
}

/// Makes the last writes of a killed writer durable, if no process writes any more.
Result<bool> Database::make_durable() {
  if (!keep_writers_out()) return false;
  std::error_code error;
  bool durable = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(place_ / "texts", error)) {
    if (entry.path().extension() != ".log") continue;
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    durable = durable && file >= 0 && ::fsync(file) == 0;
    if (file >= 0) ::close(file);
  }
  const rocksdb::Status status = catch_up();
  if (status.ok()) made_durable_ = db_->GetLatestSequenceNumber();
  ::close(lock_);
  lock_ = -1;
  if (!status.ok()) return failed(status);
  return durable && !error;
}

}  // namespace leitong::online
