// Opens the sources one after another and hands out their records in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "corpus/record_format.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// The sequential side of a corpus. What can't be read becomes a batch with a fault. Of a source it changes
/// format, stamp and head, each before the source's first batch goes out.
class BatchReader {
 public:
  /// `encoding` is that of all text; empty: each source is looked at. `as_it_comes`: batches hold what has
  /// come (live_corpus.hpp).
  BatchReader(const InputAccess& access, const FormatRegistry& formats, std::string encoding,
              bool as_it_comes)
      : access_(access), formats_(formats), encoding_(std::move(encoding)), as_it_comes_(as_it_comes) {}

  /// Null at the end. Errors are those of the work folder, of options that can't be meant (a column that
  /// isn't there) and of named files that the system doesn't read.
  Result<std::unique_ptr<Batch>> next();

 private:
  /// A batch (a fault, or files), or null if stream_ was opened.
  Result<std::unique_ptr<Batch>> open_source();
  Result<std::unique_ptr<Batch>> open_stream(std::uint32_t source);
  Result<std::unique_ptr<Batch>> open_given(std::uint32_t source);
  std::unique_ptr<Batch> take_files();
  /// The error of a source that can't be opened, if it ends the run; else a batch with the fault.
  Result<std::unique_ptr<Batch>> cant_be_read(std::uint32_t source, const Error& error) const;
  /// Looks into a file whose name doesn't tell its format.
  [[nodiscard]] bool is_file_document(std::uint32_t source);
  [[nodiscard]] const RecordFormat* sniff(const std::string& path) const;

  const InputAccess& access_;
  const FormatRegistry& formats_;
  std::string encoding_;
  bool as_it_comes_;
  std::uint32_t next_source_ = 0;
  std::unique_ptr<RecordStream> stream_;  // of source next_source_ - 1
};

}  // namespace leitong
