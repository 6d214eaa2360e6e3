// The seam between files and the pipeline: documents in input order once, then by number as often as needed.
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

/// Per-thread working space of a document source (parser, buffers). Made by DocumentSource::new_scratch().
class ReadScratch {
 public:
  virtual ~ReadScratch() = default;
};

/// A run of consecutive raw records on their way through the pipeline; what it holds is the source's own
/// affair.
class RecordBatch {
 public:
  virtual ~RecordBatch() = default;
};

/// One document as it is read. Views live as long as the call or callback that received them.
struct DocumentText {
  std::string_view id;    ///< the id field's value as text, empty if the record has none
  std::string_view text;  ///< valid UTF-8; may be empty
};
using EachDocument = std::function<void(const DocumentText&)>;

/// Documents, first streamed and then addressed. The three steps of the stream form a pipeline: next_batch()
/// is called by one thread at a time, parse() by any number on different batches, commit() by one thread at a
/// time in the order of next_batch().
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  [[nodiscard]] virtual std::unique_ptr<ReadScratch> new_scratch() const = 0;

  /// The next records in input order; null at the end.
  virtual Result<std::unique_ptr<RecordBatch>> next_batch() = 0;

  /// Parses the records of a batch and calls `each` for every accepted one in order. What can't be accepted
  /// is remembered in the batch with its reason. Thread-safe for different batches and scratches.
  virtual void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const = 0;

  /// Gives the batch's accepted documents their numbers, consecutive from size(), and files its rejected
  /// records in the quarantine. Fails with the record's place under --strict.
  virtual Result<void> commit(RecordBatch& batch) = 0;

  /// What parse() made of the batch, for a later run of the same input: appended to `state`.
  virtual void save(const RecordBatch&, std::string& /*state*/) const {}
  /// In place of parse(): the batch as save() saw it. Fails with corrupt, naming the source, where the batch
  /// holds other records than it did then.
  virtual Result<void> restore(RecordBatch&, std::string_view /*state*/) const {
    return fail(ErrorCode::unsupported, "this source of documents can't be gone on with");
  }

  /// Documents committed so far.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Bytes of input read so far, as they are stored (compressed where they are); total_bytes() all there are
  /// if known, else 0. For progress and ETA; both may be asked by any thread.
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t total_bytes() const noexcept = 0;

  /// Reads one committed document again. Thread-safe for different scratches; the views live until the next
  /// call with `scratch`.
  virtual Result<DocumentText> read(DocId document, ReadScratch& scratch) const = 0;

  /// How the texts are folded where they are compared: the default way unless somebody says otherwise, before
  /// anybody reads.
  [[nodiscard]] const Folding& folding() const noexcept { return folding_; }
  void fold_by(const Folding& folding) noexcept { folding_ = folding; }

 private:
  Folding folding_;
};

}  // namespace leitong
