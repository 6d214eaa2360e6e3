// The RocksDB that holds a store: opens and writes it, and opens it again after a failed write.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/durable_mark.hpp"

namespace leitong::online {

/// How the log of the latest writes is treated at an opening.
enum class LogOfWrites : std::uint8_t {
  whole,         ///< missing writes are an error, unless they were not durable yet
  until_damage,  ///< writes after the first damage are discarded
  none,          ///< there is no log: writes are durable after flush()
};

/// Any number of threads may read. Writes run one at a time and return when they are as durable as the
/// settings ask for. A failed write leaves nothing. RocksDB accepts no write after a failure, so the database
/// is opened again, at once and before each later write, until that succeeds; until then it is read-only. A
/// write fails if that does not help, or if a long read (a Use that lasts) prevents it.
///
/// If the folder cannot be written at the opening (read-only, full disk, no permission), the database is
/// read-only and stays so.
class Database {
 public:
  /// `place`: a folder, which holds the database in its folder "texts"; empty: in memory. Missing `families`
  /// are made, and the database itself if `create`.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& place, bool create,
                                                Durability durability, LogOfWrites log,
                                                std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// Opens an existing database only for reading: nothing in the folder changes. Any number of processes may
  /// open it in this way at once, and none for writing meanwhile. `families`: the number of families that are
  /// read, from the first one on.
  static Result<std::unique_ptr<Database>> open_to_read(
      const std::filesystem::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// Opens a damaged database for reading. Each call that meets damage fails.
  static Result<std::unique_ptr<Database>> open_damaged(
      const std::filesystem::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// A database that another process may have open for writing. It shows what was durable at the latest
  /// show_durable().
  static std::unique_ptr<Database> to_follow(const std::filesystem::path& place,
                                             std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// For a followed database: shows what is durable by now. False if the latest write is not durable and will
  /// not be soon; then nothing may be read. A write that the writer undid after a failure is never shown.
  Result<bool> show_durable();
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// The database, which stays open during the life of this object.
  class Use {
   public:
    explicit Use(const Database& of) : of_(&of) {}
    Use(Use&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    Use& operator=(Use&& other) noexcept {
      std::swap(of_, other.of_);
      return *this;
    }
    ~Use() {
      if (of_ != nullptr) of_->users_.fetch_sub(1, std::memory_order_release);
    }
    rocksdb::DB* operator->() const { return of_->db_.get(); }
    [[nodiscard]] rocksdb::ColumnFamilyHandle* family(unsigned which) const { return of_->families_[which]; }

   private:
    const Database* of_;
  };
  /// Fails with io if it could not be opened again.
  [[nodiscard]] Result<Use> use() const;

  /// The handles of the families, in their order; the list stays at its address.
  [[nodiscard]] std::span<rocksdb::ColumnFamilyHandle* const> families() const { return families_; }

  /// Was it opened read-only? Then all functions below fail.
  [[nodiscard]] bool is_read_only() const { return why_read_only_.has_value(); }
  /// Opens the database again if an earlier write failed.
  Result<void> make_writable();
  /// `wait`: until the write is durable; otherwise sync() makes it so.
  Result<void> write(rocksdb::WriteBatch& batch, bool wait);
  /// Makes all writes durable.
  Result<void> sync();
  /// The same without a log of writes.
  Result<void> flush();
  /// Do the settings ask that acknowledged writes survive a power failure?
  [[nodiscard]] bool syncs() const { return durability_ == Durability::sync && !place_.empty(); }

  [[nodiscard]] tl::unexpected<Error> failed(const rocksdb::Status& status) const;

 private:
  /// A position in the log of writes.
  struct LogEnd {
    std::uint64_t number = 0, size = 0;
  };

  [[nodiscard]] tl::unexpected<Error> open_elsewhere() const;
  Database(std::filesystem::path place, Durability durability,
           std::vector<rocksdb::ColumnFamilyDescriptor> families, bool logs = true);
  static std::shared_ptr<rocksdb::Logger> no_log();
  rocksdb::Status open_files(bool create, bool read_only);
  rocksdb::Status open_files(const rocksdb::DBOptions& options, bool read_only);
  void close_files();
  Result<void> open_again();
  rocksdb::Status cut_log(const LogEnd& end);
  Result<void> open_to_write(bool fresh);
  Result<void> open_read_only(const std::string& why);
  Result<void> keep_writers_out();
  rocksdb::Status catch_up();
  Result<bool> make_durable();
  Result<void> compare_with_durable();
  [[nodiscard]] rocksdb::DBOptions options() const;
  rocksdb::Status sync_log();
  [[nodiscard]] bool is_log_long() const;
  void note_durable() const;
  void sync_every_second();

  static constexpr int kClosed = -1;

  const std::filesystem::path place_;
  const Durability durability_;
  const std::vector<rocksdb::ColumnFamilyDescriptor> descriptors_;
  const bool logs_;
  std::unique_ptr<rocksdb::Env> memory_;  // holds all files if there is no folder
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  mutable std::atomic<int> users_{0};

  std::mutex writing_;
  std::unique_ptr<DurableMark> durable_;
  int lock_ = -1;                   // the lock of a reader
  std::string opening_;             // for a writer: the manifest that followers read
  std::uint64_t made_durable_ = 0;  // the last write that a follower made durable for a killed writer
  bool broken_ = false;             // RocksDB accepts no writes
  std::optional<Error> why_read_only_;
  std::optional<LogEnd> refused_;  // where the refused writes begin

  std::mutex stop_mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread sync_thread_;
};

}  // namespace leitong::online
