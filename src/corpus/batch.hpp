// Records between the reader and the tables: a format's stream fills them, its parser checks them, and
// commit() stores them. pack() keeps a parsed batch as bytes, so that a later run need not parse it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/documents.hpp"
#include "io/read_file.hpp"
#include "leitong/records.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A document that will get its number. All members except `detail` count from the batch's first.
struct AcceptedRecord {
  std::uint64_t id_hash = 0;   ///< 0: the record has no id
  std::uint32_t source = 0;    ///< of files that are one document each; else 0
  std::uint32_t position = 0;  ///< see Place
  std::uint32_t detail = 0;    ///< see Place
  std::uint32_t line = 0;
};

struct RejectedRecord {
  std::uint64_t line = 0;    ///< from the batch's first line; meaningless for files
  std::uint32_t source = 0;  ///< from the batch's first source
  std::string id, reason;
  bool cut_short = false;  ///< damaged data: the rest of the source is lost
  /// Where in the record, or in the file, the fault is; column 0 if no place is known.
  TextPlace fault{1, 0};
};

/// A format whose records are not byte ranges derives its own batch from this.
struct Batch : RecordBatch {
  std::uint32_t source = 0;  ///< the first one
  std::uint32_t source_count = 1;
  /// One document for each file: sources [source, source + source_count); else records of one source.
  bool files = false;

  std::uint64_t position = 0;       ///< of the first record, see Place
  std::uint64_t skipped_lines = 0;  ///< before the records, such as a header
  std::uint64_t lines = 0;          ///< lines of the records; parse() may count them

  /// A rejected record after the others: it is too long or cut off, or the source cannot be read.
  std::optional<std::string> fault;
  std::uint64_t fault_lines = 0;  ///< lines that it takes; 0: it concerns the whole source
  bool fault_cuts_short = false;  ///< see RejectedRecord::cut_short

  std::vector<AcceptedRecord> accepted;
  std::vector<RejectedRecord> rejected;
  std::uint64_t other_records = 0;  ///< records of types that hold no document
  std::vector<FileStamp> stamps;    ///< of files, at the time when they were read
  std::optional<Error> failure;     ///< ends the run: the system could not read a file that was named
};

/// Appends what parse() filled, and the position of the batch.
void pack(const Batch& batch, std::string& state);
/// Restores it. Fails with corrupt if `batch`, as its stream made it, has another position.
Result<void> unpack(std::string_view state, Batch& batch);

}  // namespace leitong
