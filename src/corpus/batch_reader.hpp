// Opens the sources one after another and hands out their records in batches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "corpus/batch.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {

/// The sequential side of a corpus. What can't be read becomes a batch with a fault. Of a source it changes
/// kind, compression, stamp and format, each before the source's first batch goes out.
class BatchReader {
 public:
  struct Settings {
    std::uint64_t max_record_bytes = 0;
    StopToken stop = {};
  };

  BatchReader(SourceList& sources, RecordStore& store, const FieldNames& names, Settings settings)
      : sources_(sources), store_(store), names_(names), settings_(settings) {}

  /// Null at the end. Errors are those of the work folder and of options that can't be meant (a column that
  /// isn't there).
  Result<std::unique_ptr<Batch>> next();

  /// Bytes read as they are stored. Any thread.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept {
    return bytes_read_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::atomic<std::uint64_t>& byte_counter() noexcept { return bytes_read_; }

 private:
  /// True if `batch` was filled (a fault, or files); false if stream_ was opened.
  Result<bool> open_source(Batch& batch);
  Result<void> open_stream(std::uint32_t source, std::unique_ptr<ByteStream> bytes, bool spooled);
  Result<void> skip_head(std::uint32_t source, std::string_view first_bytes);
  void take_files(Batch& batch);
  /// Looks into a file whose name doesn't tell its kind.
  [[nodiscard]] bool is_file_document(std::uint32_t source);

  SourceList& sources_;
  RecordStore& store_;
  const FieldNames& names_;
  Settings settings_;
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint32_t next_source_ = 0;
  std::unique_ptr<StreamReader> stream_;  // of source next_source_ - 1
  StoreCursor cursor_;                    // for what the stream has to read twice
  std::uint64_t header_lines_ = 0;        // skipped before the stream's first batch
};

}  // namespace leitong
