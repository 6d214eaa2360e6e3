// Reads records of plain files by places that an earlier reading has told, without reading what is between
// them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "corpus/corpus.hpp"
#include "corpus/record_format.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// A source of documents.
struct PlacedSource {
  /// Its format if PlacedRecords can read its records: those of a plain file, which are parsed one by one.
  std::string_view kind;
  FileStamp stamp;  ///< of the file that was read
};
/// The source of a committed document.
[[nodiscard]] PlacedSource placed_source(const Corpus& corpus, DocId document);

/// Records of sources that have a PlacedSource::kind. Reading is thread-safe.
class PlacedRecords {
 public:
  /// `options` are those of the reading; its paths do not matter. The run must outlive it.
  PlacedRecords(const InputOptions& options, const RunContext& run);
  PlacedRecords(const PlacedRecords&) = delete;
  PlacedRecords& operator=(const PlacedRecords&) = delete;

  /// Adds a file as it was read. Returns its number, for Place::source. Not while records are read.
  std::uint32_t add(std::string_view path, std::string_view kind, const FileStamp& stamp);
  /// A thread's parser. Fails with unsupported for a kind whose records have no places.
  [[nodiscard]] Result<std::unique_ptr<RecordParser>> new_parser(std::string_view kind) const;

 private:
  FieldNames names_;
  const FormatRegistry& formats_;
  SourceList sources_;
  RecordStore store_;
  std::atomic<std::uint64_t> bytes_read_{0};
  InputAccess access_;
};

}  // namespace leitong
