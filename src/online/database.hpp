// The RocksDB below a store: opened, written, and opened again after a write that failed.
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

/// What is asked of the log of the latest writes when a database is opened.
enum class LogOfWrites : std::uint8_t {
  whole,         ///< that it lacks writes is an error, but for those that weren't durable yet
  until_damage,  ///< writes from the first damage on are given up
  none,          ///< there is none: what is written is durable after flush()
};

/// Any number of threads may read; writes take turns, and return when they are as durable as was asked for.
/// Of a write that failed nothing is there. RocksDB takes no write after it, so the database is opened again,
/// at once and before each write until that succeeds; until then it is read only. A write fails if that
/// doesn't help, or if a long read (a Use that lasts) is in the way.
///
/// Where the folder can't be written when it is opened (a read-only or a full disk, no permission), it is
/// opened to be read only, and stays so.
class Database {
 public:
  /// `place`: a folder, whose folder "texts" the database is; empty: in memory. `families` are made where
  /// they are missing, and the database itself if `create`.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& place, bool create,
                                                Durability durability, LogOfWrites log,
                                                std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// One that is there, for reading alone: nothing of the folder changes. Any number of processes may have it
  /// open in this way at once, and none of them for writing meanwhile. `families`: the first ones, as many as
  /// are read.
  static Result<std::unique_ptr<Database>> open_to_read(
      const std::filesystem::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// A damaged one, for reading: each call fails that meets damage.
  static Result<std::unique_ptr<Database>> open_damaged(
      const std::filesystem::path& place, std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// One that another process may have open for writing: shows what was durable at the latest show_durable().
  static std::unique_ptr<Database> to_follow(const std::filesystem::path& place,
                                             std::vector<rocksdb::ColumnFamilyDescriptor> families);
  /// Of one that is followed: shows what is durable by now. False if what was written last isn't, and won't
  /// be soon: then nothing may be read. What a writer took back after a failed write is never shown.
  Result<bool> show_durable();
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// The database, which stays open as long as this object.
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
  /// Fails with io where it could not be opened again.
  [[nodiscard]] Result<Use> use() const;

  /// The handles of the families, in their order; the place of this list stays the same.
  [[nodiscard]] std::span<rocksdb::ColumnFamilyHandle* const> families() const { return families_; }

  /// Was it opened to be read only? Then all that follows fails.
  [[nodiscard]] bool is_read_only() const { return why_read_only_.has_value(); }
  /// Opens it again if a write failed before.
  Result<void> make_writable();
  /// `wait`: until it is durable. If not, sync() is.
  Result<void> write(rocksdb::WriteBatch& batch, bool wait);
  /// Makes all durable that was written.
  Result<void> sync();
  /// The same without a log of writes.
  Result<void> flush();
  /// Is it asked for that what is acknowledged survives a power failure?
  [[nodiscard]] bool syncs() const { return durability_ == Durability::sync && !place_.empty(); }

  /// The error of a call.
  [[nodiscard]] tl::unexpected<Error> failed(const rocksdb::Status& status) const;

 private:
  /// A place in the log of writes.
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
  std::unique_ptr<rocksdb::Env> memory_;  // where everything lies without a folder
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  mutable std::atomic<int> users_{0};

  std::mutex writing_;
  std::unique_ptr<DurableMark> durable_;
  int lock_ = -1;                   // of who reads alone
  std::string opening_;             // by a writer: the one that is followed
  std::uint64_t made_durable_ = 0;  // by who follows, where the writer was killed before that
  bool broken_ = false;             // it takes no writes
  std::optional<Error> why_read_only_;
  std::optional<LogEnd> refused_;  // where what was refused begins

  std::mutex stop_mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread sync_thread_;
};

}  // namespace leitong::online
