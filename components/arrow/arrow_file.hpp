// Reads record batches of Arrow IPC one after the other, from a file or a stream.
#pragma once

#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>

#include <memory>
#include <vector>

#include "arrow_io.hpp"

namespace leitong {

class ArrowFile {
 public:
  ArrowFile(std::unique_ptr<TableBytes> bytes, arrow::MemoryPool* pool)
      : bytes_(std::make_shared<ArrowBytes>(std::move(bytes), pool)), pool_(pool) {}

  /// Reads the schema. `columns` are the ones that batches will have; empty: all.
  arrow::Status open(std::vector<int> columns = {});
  /// Reads the next batch and checks its columns; null at the end.
  arrow::Status next(std::shared_ptr<arrow::RecordBatch>& batch);

  [[nodiscard]] const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }
  [[nodiscard]] bool is_stream() const { return file_ == nullptr; }
  [[nodiscard]] std::shared_ptr<const arrow::KeyValueMetadata> metadata() const {
    return file_ == nullptr ? nullptr : file_->metadata();
  }
  struct Batch {
    std::int64_t offset = 0, bytes = 0;  ///< sizes of its message, and of its buffers as stored
  };
  /// Only for a file; a stream does not list its batches.
  [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }
  /// The compression of the buffers of its first batch.
  [[nodiscard]] arrow::Result<arrow::Compression::type> compression() const;
  /// The share of the batches or bytes that has been read.
  [[nodiscard]] double share() const;
  [[nodiscard]] const ArrowBytes& bytes() const { return *bytes_; }

 private:
  arrow::Status read_footer();

  std::shared_ptr<ArrowBytes> bytes_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
  std::vector<Batch> batches_;
  int batch_ = 0;  // the next batch of a file
};

}  // namespace leitong
