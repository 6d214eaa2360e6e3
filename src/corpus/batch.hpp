// Records between the reader and the tables: what next_batch() fills, parse() judges and commit() files.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/documents.hpp"
#include "corpus/json_record.hpp"
#include "io/read_file.hpp"

namespace leitong {

/// Bytes followed by kRecordPadding zeros.
class PaddedBytes {
 public:
  PaddedBytes() = default;
  /// The bytes hold no value until written.
  explicit PaddedBytes(std::size_t size) { resize(size); }
  void resize(std::size_t size) {
    if (size > capacity_ || bytes_ == nullptr) {
      bytes_ = std::make_unique_for_overwrite<char[]>(size + kRecordPadding);
      capacity_ = size;
    }
    shrink(size);
  }
  /// Makes room for more bytes after those that are there.
  void grow(std::size_t size) {
    PaddedBytes larger(size);
    std::memcpy(larger.data(), data(), size_);
    *this = std::move(larger);
  }
  /// REQUIRES size <= what it was. Keeps the bytes before.
  void shrink(std::size_t size) {
    size_ = size;
    std::memset(bytes_.get() + size, 0, kRecordPadding);
  }
  [[nodiscard]] char* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

/// A document that is about to get its number. In a batch of files `offset` counts sources from the batch's
/// first.
struct AcceptedRecord {
  std::uint64_t id_hash = 0;  ///< 0: the record has no id
  std::uint32_t offset = 0;   ///< from the batch's begin
  std::uint32_t length = 0;
  std::uint32_t line = 0;  ///< from the batch's first line
};

struct RejectedRecord {
  std::uint64_t line = 0;    ///< from the batch's first line; without meaning for files
  std::uint32_t source = 0;  ///< from the batch's first source
  std::string id, reason;
};

struct Batch final : RecordBatch {
  std::uint32_t source = 0;  ///< the first one
  std::uint32_t source_count = 1;
  bool files =
      false;  ///< one document a file: sources [source, source + source_count); else records of one source

  PaddedBytes data;                 ///< whole records
  std::uint64_t offset = 0;         ///< of data in the source
  std::vector<std::uint32_t> ends;  ///< of records in data, where they aren't simply the line feeds (CSV)
  std::uint64_t skipped_lines = 0;  ///< before data: a header
  std::uint64_t data_lines = 0;     ///< line feeds in data; parse() counts them

  std::optional<std::string>
      fault;  ///< one more rejected record after data: too long, cut off, or the source can't be read
  std::uint64_t fault_lines = 0;  ///< that it takes; 0: it concerns the source as a whole

  std::vector<AcceptedRecord> accepted;
  std::vector<RejectedRecord> rejected;
  std::vector<FileStamp> stamps;  ///< of files, as they were when read
};

}  // namespace leitong
