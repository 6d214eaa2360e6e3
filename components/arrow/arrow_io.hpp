// Adapts Arrow's interfaces for bytes, errors and memory to those of leitong.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/future.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/table_files.hpp"
#include "recycling_pool.hpp"

namespace leitong {

/// Memory that one reader, copier or writer may take. It must outlive everything that was allocated from it.
class Memory {
 public:
  explicit Memory(std::uint64_t limit) {
    if (limit > 0) capped_.emplace(arrow::system_memory_pool(), static_cast<std::int64_t>(limit));
    pool_.emplace(limit > 0 ? &*capped_ : arrow::system_memory_pool());
  }
  arrow::MemoryPool* pool() { return &*pool_; }

 private:
  std::optional<arrow::CappedMemoryPool> capped_;
  std::optional<RecyclingPool> pool_;
};

/// A table's bytes in the form that Arrow reads. Stores an error of the bytes, since Arrow would change it.
class ArrowBytes final : public arrow::io::RandomAccessFile {
 public:
  ArrowBytes(std::unique_ptr<TableBytes> bytes, arrow::MemoryPool* pool)
      : bytes_(std::move(bytes)), pool_(pool) {}
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Seek(std::int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> GetSize() override { return static_cast<std::int64_t>(bytes_->size()); }
  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t count, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position, std::int64_t count) override;
  arrow::Result<std::int64_t> Read(std::int64_t count, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t count) override;
  // Reads immediately: Arrow would read on a thread of its own, which for a damaged file may still run when
  // its reader is destroyed.
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext& context,
                                                          std::int64_t position, std::int64_t count,
                                                          bool allow_short_read) override;
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext& context,
                                                          std::int64_t position,
                                                          std::int64_t count) override {
    return ReadAsync(context, position, count, true);
  }

 private:
  std::unique_ptr<TableBytes> bytes_;
  arrow::MemoryPool* pool_;
  std::int64_t position_ = 0;
  bool closed_ = false;
  std::optional<Error> error_;
};

/// A sink in the form that Arrow writes to; stores errors as ArrowBytes does.
class ArrowSink final : public arrow::io::OutputStream {
 public:
  explicit ArrowSink(ByteSink sink) : sink_(std::move(sink)) {}
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, std::int64_t count) override;
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }

 private:
  ByteSink sink_;
  std::int64_t position_ = 0;
  bool closed_ = false;
  std::optional<Error> error_;
};

/// Turns a status of Arrow into an error. `fallback` is its code if Arrow does not tell one.
[[nodiscard]] Error to_error(const arrow::Status& status, ErrorCode fallback = ErrorCode::corrupt);
/// The error of the exception that is being handled.
[[nodiscard]] Error current_error();

/// Runs `work`, which returns a Status or throws exceptions of Arrow and Parquet. The stored error of `kept`,
/// if there is one, is returned in place of the errors that it caused.
template <class Kept, class Work>
Result<void> guarded(const Kept* kept, const Work& work) {
  Error error;
  try {
    const arrow::Status status = work();
    if (status.ok()) return {};
    error = to_error(status);
  } catch (...) {
    error = current_error();
  }
  if (kept != nullptr && kept->error()) error = *kept->error();
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace leitong
