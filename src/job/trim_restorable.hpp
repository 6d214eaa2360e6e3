// What trimming takes away, on its way into a restorable file (io/restorable_file.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "corpus/corpus.hpp"
#include "corpus/record_format.hpp"
#include "corpus/text_cut.hpp"
#include "io/output_file.hpp"
#include "io/restorable_file.hpp"
#include "io/run_context.hpp"
#include "io/temp_file.hpp"
#include "job/written_files.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// How the written records differ from those that were read: told as they are written, asked in the same
/// order afterwards. What differs goes to a nameless file.
class TrimmedPlaces {
 public:
  explicit TrimmedPlaces(const WorkFolder& folder) : folder_(folder) {}

  /// The files that hold them: told what is written, before the places in it.
  [[nodiscard]] WrittenFiles& written() noexcept { return written_; }

  /// A record that was written, and what was taken out of it.
  Result<void> wrote(DocId document, const KeptPlace& place, std::span<const TextEdit> edits);
  /// A record that was not.
  Result<void> removed(DocId document);

  /// What became of a record.
  struct Fate {
    bool removed = false;
    bool rewritten = false;       ///< it was written, but not by leaving out some of its bytes
    std::uint64_t begin = 0;      ///< in the output
    std::vector<TextEdit> edits;  ///< of its bytes, ascending
  };
  /// The next document's, whose record has `size` bytes with its line end. REQUIRES all documents, in their
  /// order.
  Result<void> next(DocId document, std::uint64_t size, Fate& fate);

 private:
  Result<void> log(DocId document, const Fate& fate, std::uint64_t end);
  Result<void> flush();
  Result<void> read_entry();
  Result<std::uint64_t> read_word();

  WorkFolder folder_;
  WrittenFiles written_;
  std::optional<TempFile> file_;
  PodVector<std::uint64_t> words_;  // those not in file_ yet; while reading, those read last
  std::uint64_t expected_ = 0;      // where the next record begins in the output
  bool reading_ = false;
  std::uint64_t read_ = 0;  // bytes of file_
  std::size_t at_ = 0;      // of words_
  // The next document that is not as expected.
  DocId document_ = kNoDocument;
  std::uint64_t end_ = 0;
  Fate fate_;
};

/// Writes the file, once the output is written: `form` says how, and `kept_bytes` is the size of all of it.
Result<void> write_trim_restorable(const Corpus& corpus, TrimmedPlaces& places, KeptForm form,
                                   std::uint64_t kept_bytes, OutputFile& out, const RunContext& run);

}  // namespace leitong
