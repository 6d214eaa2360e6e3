// Records between the reader and the tables: what a format's stream fills, its parser judges and commit()
// files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/documents.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A document that is about to get its number. All but `detail` count from the batch's first.
struct AcceptedRecord {
  std::uint64_t id_hash = 0;   ///< 0: the record has no id
  std::uint32_t source = 0;    ///< of files that are one document each; else 0
  std::uint32_t position = 0;  ///< see Place
  std::uint32_t detail = 0;    ///< see Place
  std::uint32_t line = 0;
};

struct RejectedRecord {
  std::uint64_t line = 0;    ///< from the batch's first line; without meaning for files
  std::uint32_t source = 0;  ///< from the batch's first source
  std::string id, reason;
  bool cut_short = false;  ///< damaged data: what follows in the source is lost
};

/// A format whose records aren't stretches of bytes derives a batch of its own from it.
struct Batch : RecordBatch {
  std::uint32_t source = 0;  ///< the first one
  std::uint32_t source_count = 1;
  /// One document a file: sources [source, source + source_count); else records of one source.
  bool files = false;

  std::uint64_t position = 0;       ///< of the first record, see Place
  std::uint64_t skipped_lines = 0;  ///< before the records: a header
  std::uint64_t lines = 0;          ///< of the records; may be counted by parse()

  /// One more rejected record after the others: too long, cut off, or the source can't be read.
  std::optional<std::string> fault;
  std::uint64_t fault_lines = 0;  ///< that it takes; 0: it concerns the source as a whole
  bool fault_cuts_short = false;  ///< see RejectedRecord::cut_short

  std::vector<AcceptedRecord> accepted;
  std::vector<RejectedRecord> rejected;
  std::uint64_t other_records = 0;  ///< of types that hold no document
  std::vector<FileStamp> stamps;    ///< of files, as they were when read
  std::optional<Error> failure;     ///< ends the run: a file that was named and that the system doesn't read
};

}  // namespace leitong
