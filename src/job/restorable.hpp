// Writes what a run removes into a restorable file (io/restorable_file.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/record_format.hpp"
#include "io/output_file.hpp"
#include "io/restorable_file.hpp"
#include "io/run_context.hpp"
#include "io/temp_file.hpp"
#include "io/work_folder.hpp"
#include "job/id_table.hpp"
#include "job/outcome.hpp"
#include "job/written_files.hpp"

namespace leitong {

/// The places of the kept records in the kept files: added while these are written, and read in the same
/// order afterwards. For documents for which others left 16 bytes are stored. The places of the others follow
/// from one another; an exception is written to a temporary file without a name.
class KeptPlaces {
 public:
  KeptPlaces(const Outcome& outcome, WorkFolder folder);

  /// The files that hold them: told what is written, before the places in it.
  [[nodiscard]] WrittenFiles& written() noexcept { return written_; }
  [[nodiscard]] const WrittenFiles& written() const noexcept { return written_; }
  /// REQUIRES ascending documents, all of which stay.
  Result<void> add(DocId document, const KeptPlace& place);

  /// The place of the next document that stays, whose record has `size` bytes in its source. REQUIRES the
  /// order of add().
  Result<KeptPlace> next(DocId document, std::uint64_t size);
  /// The place of a document for which others left; nothing if it was not added.
  [[nodiscard]] std::optional<KeptPlace> of_base(DocId document) const;
  /// The end of the last kept record.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return expected_; }

 private:
  struct Odd {
    std::uint64_t begin, size;
    DocId document;
    bool unchanged;
  };
  Result<void> flush();
  [[nodiscard]] std::optional<std::size_t> index_of_base(DocId document) const;

  WorkFolder folder_;
  WrittenFiles written_;
  std::uint64_t expected_ = 0;
  struct Base {
    std::uint64_t begin = 0, size = 0;
  };
  std::vector<DocId> followed_;  // documents for which others left, ascending
  std::vector<Base> bases_;      // their places
  std::vector<Odd> odd_;         // those not written yet; while reading, those read last
  std::optional<TempFile> file_;
  bool asked_ = false;      // true if next() was called
  std::uint64_t read_ = 0;  // bytes of file_
  std::size_t next_ = 0;    // of odd_
};

/// Writes the file after the kept records were written. `ids` holds those of all removed documents.
Result<void> write_restorable(const Corpus& corpus, const Outcome& outcome, const IdTable& ids,
                              KeptPlaces& places, const RestorableFacts& facts, OutputFile& out,
                              const RunContext& run);

}  // namespace leitong
