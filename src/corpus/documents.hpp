// The interface between files and the pipeline: documents once in input order, then by number as often as
// needed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Working space of a thread for a document source (parser, buffers), made by DocumentSource::new_scratch().
class ReadScratch {
 public:
  virtual ~ReadScratch() = default;
};

/// Consecutive raw records in the pipeline; the source defines the content.
class RecordBatch {
 public:
  virtual ~RecordBatch() = default;
};

/// One document as it is read. The views are valid during the call or callback that receives them.
struct DocumentText {
  std::string_view id;    ///< the id field's value as text, empty if the record has none
  std::string_view text;  ///< valid UTF-8; may be empty
};
using EachDocument = std::function<void(const DocumentText&)>;

/// Documents, first as a stream and then by number. The three steps of the stream form a pipeline:
/// next_batch() is called by one thread at a time, parse() by any number of threads on different batches,
/// commit() by one thread at a time in the order of next_batch().
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  [[nodiscard]] virtual std::unique_ptr<ReadScratch> new_scratch() const = 0;

  /// The next records in input order; null at the end.
  virtual Result<std::unique_ptr<RecordBatch>> next_batch() = 0;

  /// Parses the records of a batch and calls `each` for every accepted one in order. Notes the others in the
  /// batch, with the reasons. Thread-safe for different batches and scratches.
  virtual void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const = 0;

  /// Gives the batch's accepted documents their numbers, consecutive from size(), and puts its rejected
  /// records in the quarantine. In strict mode fails with the place of a rejected record.
  virtual Result<void> commit(RecordBatch& batch) = 0;

  /// Appends the results of parse() to `state`, for a later run of the same input.
  virtual void save(const RecordBatch&, std::string& /*state*/) const {}
  /// Instead of parse(): restores the batch as save() saw it. Fails with corrupt, naming the source, if the
  /// batch holds other records than it did then.
  virtual Result<void> restore(RecordBatch&, std::string_view /*state*/) const {
    return fail(ErrorCode::unsupported, "this source of documents can't be gone on with");
  }

  /// Documents committed so far.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Bytes of input read so far, as stored (possibly compressed); total_bytes() is the size of all input if
  /// known, else 0. For progress; any thread may call both.
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t total_bytes() const noexcept = 0;

  /// Reads a committed document again. Thread-safe for different scratches; the views are valid until the
  /// next call with `scratch`.
  virtual Result<DocumentText> read(DocId document, ReadScratch& scratch) const = 0;

  /// How the texts are folded where they are compared: the default, unless fold_by() is called before the
  /// first read.
  [[nodiscard]] const Folding& folding() const noexcept { return folding_; }
  void fold_by(const Folding& folding) noexcept { folding_ = folding; }

 private:
  Folding folding_;
};

}  // namespace leitong
