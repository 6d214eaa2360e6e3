// Turns the records of a batch into documents.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "corpus/batch.hpp"
#include "corpus/documents.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/record_reader.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// One thread's parser; keeps its buffers from batch to batch.
class BatchParser {
 public:
  /// `file_bytes` counts what is read of files that are one document each.
  BatchParser(const SourceList& sources, const FieldNames& names, std::uint64_t max_record_bytes,
              std::atomic<std::uint64_t>& file_bytes, StopToken stop)
      : sources_(sources),
        max_record_bytes_(max_record_bytes),
        file_bytes_(file_bytes),
        stop_(stop),
        reader_(names) {}

  /// Fills batch.accepted, .rejected, .stamps and .data_lines and calls `each` for the accepted ones.
  void parse(Batch& batch, const EachDocument& each);

  /// One record again. REQUIRES kRecordPadding readable bytes after it. The result lives until the next call.
  const RecordFields& read(const Source& source, std::string_view record) {
    reader_.read(source, record, fields_);
    return fields_;
  }
  /// A file that is one document, again. One that has changed is ErrorCode::corrupt.
  Result<const RecordFields*> read_file(std::uint32_t source);

 private:
  /// Loads a file into file_; returns what is wrong, or an empty string.
  std::string load(std::uint32_t source, std::atomic<std::uint64_t>* counter, FileStamp& stamp);
  void parse_lines(Batch& batch, const EachDocument& each);
  void parse_ends(Batch& batch, const EachDocument& each);
  void parse_files(Batch& batch, const EachDocument& each);
  void judge(Batch& batch, std::string_view record, std::uint64_t line, const EachDocument& each);

  const SourceList& sources_;
  std::uint64_t max_record_bytes_;
  std::atomic<std::uint64_t>& file_bytes_;
  StopToken stop_;
  RecordReader reader_;
  RecordFields fields_;
  PaddedBytes file_;
};

}  // namespace leitong
