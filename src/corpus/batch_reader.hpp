// Opens the sources one after another and returns their records in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "corpus/record_format.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// The sequential part of a corpus. What cannot be read becomes a batch with a fault. It changes a source's
/// format, stamp and head only before the source's first batch is returned.
class BatchReader {
 public:
  /// `encoding`: of all text; empty: detected for each source. `as_it_comes`: batches hold what has arrived
  /// (open_live_corpus()).
  BatchReader(const InputAccess& access, const FormatRegistry& formats, std::string encoding,
              bool as_it_comes)
      : access_(access), formats_(formats), encoding_(std::move(encoding)), as_it_comes_(as_it_comes) {}

  /// Null at the end. Fails for errors of the work folder, for impossible options (a missing column), and for
  /// named files that the system cannot read.
  Result<std::unique_ptr<Batch>> next();

 private:
  /// A batch (with a fault, or of files); null if stream_ was opened.
  Result<std::unique_ptr<Batch>> open_source();
  Result<std::unique_ptr<Batch>> open_stream(std::uint32_t source);
  Result<std::unique_ptr<Batch>> open_given(std::uint32_t source);
  std::unique_ptr<Batch> take_files();
  /// The error of a source that cannot be opened, if it ends the run; else a batch with the fault.
  Result<std::unique_ptr<Batch>> cant_be_read(std::uint32_t source, const Error& error) const;
  /// Reads the beginning of a file whose name does not tell its format.
  [[nodiscard]] bool is_file_document(std::uint32_t source);
  void sniff(std::uint32_t source);

  const InputAccess& access_;
  const FormatRegistry& formats_;
  std::string encoding_;
  bool as_it_comes_;
  std::uint32_t next_source_ = 0;
  std::unique_ptr<RecordStream> stream_;  // of source next_source_ - 1
};

}  // namespace leitong
