// What a run removes, on its way into a restorable file (io/restorable_file.hpp).
#pragma once

#include <cstdint>
#include <memory>
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

namespace leitong {

/// Where the kept records stand in the kept files: told as these are written, asked in the same order
/// afterwards. Of documents for which others left 16 bytes are held; the others' places follow from one
/// another, and where one doesn't, it goes to a nameless file.
class KeptPlaces {
 public:
  KeptPlaces(const Outcome& outcome, WorkFolder folder);
  ~KeptPlaces();

  /// The next file of kept records begins: what follows is counted from its beginning. `path` is that of the
  /// source and lives on.
  void begin_file(std::string_view path, std::uint64_t bytes_before);
  /// Bytes of tables that were written, to the file that was begun last.
  void wrote(std::string_view bytes);
  void end_file() { files_.back().hash = hash(); }
  /// XXH3-64 of them.
  [[nodiscard]] std::uint64_t hash() const noexcept;
  /// REQUIRES rising documents, all of which stay.
  Result<void> add(DocId document, const KeptPlace& place);

  /// The place of the next document that stays, whose record has `size` bytes in its source. REQUIRES the
  /// order of add().
  Result<KeptPlace> next(DocId document, std::uint64_t size);
  /// Of a document for which others left; nothing where it was not added.
  [[nodiscard]] std::optional<KeptPlace> of_base(DocId document) const;
  /// Where the last kept record ends.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return expected_; }
  /// The files begun, with where their bytes begin among those of all.
  struct File {
    std::string_view path;
    std::uint64_t begin;
    std::uint64_t hash = 0;  ///< of its bytes, if it is a table
  };
  [[nodiscard]] const std::vector<File>& files() const noexcept { return files_; }

 private:
  struct Odd {
    std::uint64_t begin, size;
    DocId document;
    bool unchanged;
  };
  Result<void> flush();
  [[nodiscard]] std::optional<std::size_t> index_of_base(DocId document) const;

  WorkFolder folder_;
  std::vector<File> files_;
  struct Hash;
  std::unique_ptr<Hash> hash_;
  std::uint64_t file_begin_ = 0, expected_ = 0;
  struct Base {
    std::uint64_t begin = 0, size = 0;
  };
  std::vector<DocId> followed_;  // documents for which others left, ascending
  std::vector<Base> bases_;      // their places
  std::vector<Odd> odd_;         // those not written yet; while reading, those read last
  std::optional<TempFile> file_;
  bool asked_ = false;      // next() was called
  std::uint64_t read_ = 0;  // bytes of file_
  std::size_t next_ = 0;    // of odd_
};

/// Writes the file once the kept records are written. `ids` has those of all removed documents.
Result<void> write_restorable(const Corpus& corpus, const Outcome& outcome, const IdTable& ids,
                              KeptPlaces& places, const RestorableFacts& facts, OutputFile& out,
                              const RunContext& run);

}  // namespace leitong
