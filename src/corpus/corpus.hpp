// Documents from files, folders and pipes, in every format and compression that leitong reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/documents.hpp"
#include "corpus/html_text.hpp"
#include "corpus/place_table.hpp"
#include "corpus/quarantine.hpp"
#include "io/byte_stream.hpp"
#include "io/read_file.hpp"
#include "io/run_context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

class FormatRegistry;
class PieceSink;
class RecordFormat;
class RowSink;
struct KeptPlace;

/// What a caller asks for, and what only the rooms above do.
struct InputOptions : InputFiles {
  InputOptions() = default;
  InputOptions(InputFiles files) : InputFiles(std::move(files)) {}  // NOLINT(google-explicit-constructor)

  const FormatRegistry* formats = nullptr;  ///< null: all that leitong reads (standard_formats())
  /// Fields that a keep policy asks for (numbers or strings), see Corpus::field().
  std::vector<std::string> extra_fields = {};
  /// One of them whose value is an array of numbers: Corpus::field() gives it as JSON writes it. Empty: none.
  std::string vector_field = {};
  bool found = false;  ///< the paths come from a listing: one that can't be read is a quarantined record
  bool blank_texts = false;  ///< a text of white space alone is a document, too
  /// Told by Corpus::commit() of each record that is quarantined, and of how many documents come before it.
  std::function<void(DocId before, const QuarantinedRecord& record)> on_quarantined = {};
  /// Sources that are no files: read after reference_paths, and references like these.
  struct Given {
    std::string name;                            ///< as a path of its own
    std::shared_ptr<const RecordFormat> format;  ///< opens it by itself: OpenedSource has no bytes
    FileStamp stamp;                             ///< a later run with the same one reads the same
    std::uint64_t memory = 0;                    ///< bytes that it takes of the run's budget
  };
  std::vector<Given> given_references = {};
};

/// The files' DocumentSource. Single-threaded except where DocumentSource says otherwise.
class Corpus : public DocumentSource {
 public:
  /// Lists and opens lazily. Fails if nothing can be meant (no path, unknown option) or a path can't be read;
  /// an unreadable file in a folder, or one that vanishes later, is a quarantined record.
  /// Reading ends with ErrorCode::cancelled after a stop of the run; what can't be read twice goes to its
  /// work folder. The run's context must outlive the corpus.
  static Result<std::unique_ptr<Corpus>> open(InputOptions options, const RunContext& run);

  [[nodiscard]] virtual Place place(DocId document) const = 0;
  /// Of a document that is a file: its bytes, uncompressed.
  [[nodiscard]] std::uint64_t file_bytes(DocId document) const { return place(document).detail; }
  /// "data.jsonl.gz:81234", or the path alone where a file is one document.
  [[nodiscard]] virtual std::string place_name(DocId document) const = 0;
  /// The id that outputs show: the field's, else place_name(). Reads the record again.
  virtual Result<std::string> id(DocId document, ReadScratch& scratch) const = 0;
  /// A document's value of a field that InputOptions::extra_fields names ("" where absent). Reads the record
  /// again. Fails with invalid_argument for any other field.
  virtual Result<std::string> field(DocId document, std::string_view name, ReadScratch& scratch) const = 0;
  /// The names of its record's fields, and within the objects that lead to `path`, for messages; none where
  /// records do not name them (JSON does). Reads the record again.
  virtual Result<std::vector<std::string>> field_names(DocId document, std::string_view path,
                                                       ReadScratch& scratch) const = 0;
  /// Path of the source a document came from (for --keep source:ORDER); "-" is standard input.
  [[nodiscard]] virtual std::string_view source_path(DocId document) const = 0;
  /// A line "path<TAB>size and time" for each source as it was listed. Fails with unsupported, naming it,
  /// where one can't be read again.
  [[nodiscard]] virtual Result<std::string> list_input() const = 0;
  /// Documents [0, reference_count()) came from reference_paths.
  [[nodiscard]] virtual DocId reference_count() const noexcept = 0;
  /// True if every source is one document a file (KEPT is then a list of paths or a folder).
  [[nodiscard]] virtual bool one_document_a_file() const noexcept = 0;

  /// Quarantined records so far.
  [[nodiscard]] virtual std::uint64_t quarantined() const noexcept = 0;
  /// "place: reason" of the first of them, or empty.
  [[nodiscard]] virtual std::string first_quarantined() const = 0;
  /// All of them in input order.
  virtual Result<void> for_each_quarantined(const EachQuarantined& each) const = 0;
  /// Sources whose compressed data is truncated or broken, so that records of them are lost.
  [[nodiscard]] virtual std::uint64_t truncated_inputs() const noexcept = 0;
  /// Records read: accepted + quarantined. Blank lines are no records.
  [[nodiscard]] virtual std::uint64_t records() const noexcept = 0;
  /// Of every quarantined record in input order the number of documents before it.
  [[nodiscard]] virtual std::vector<DocId> documents_before_quarantined() const { return {}; }
  /// Records of types that hold no document (requests and pictures in a WARC file); not among records().
  [[nodiscard]] virtual std::uint64_t other_records() const noexcept { return 0; }
  /// Whether copy_kept() calls `write` once a record, each of which is to be a member of its own where the
  /// file is compressed.
  [[nodiscard]] virtual bool is_archive() const noexcept { return false; }

  /// The format of the kept records (FormatInfo::name), or empty where nothing can be kept.
  [[nodiscard]] virtual std::string_view kept_kind() const noexcept = 0;

  /// How many records carry an id that an earlier one had, and the first few of them with both places. Call
  /// when the stream has ended.
  struct RepeatedIds {
    std::uint64_t count = 0;
    std::vector<RepeatedId> examples;  ///< at most 10
  };
  virtual Result<RepeatedIds> repeated_ids() const = 0;

  /// Whether copy_kept() is possible: no file that is one document, all records of one kind and, in CSV,
  /// under one header. To be asked when the stream has ended, before hours of work.
  [[nodiscard]] virtual Result<void> check_copyable() const { return {}; }
  /// Calls `write` with every kept record in input order as its format writes it: the exact bytes where
  /// records are lines or rows, after the first source's preamble (a CSV header). Streams sequentially; a
  /// changed file is an error. `keep(document)` is asked in order, and `placed`, if it is given, is told
  /// where each kept record stands in what is written.
  using KeptPlaced = std::function<Result<void>(DocId document, const KeptPlace& place)>;
  virtual Result<void> copy_kept(const std::function<bool(DocId)>& keep,
                                 const std::function<Result<void>(std::string_view bytes)>& write,
                                 const KeptPlaced& placed) const = 0;
  Result<void> copy_kept(const std::function<bool(DocId)>& keep,
                         const std::function<Result<void>(std::string_view bytes)>& write) const {
    return copy_kept(keep, write, {});
  }
  /// The same with an output for each source that isn't a reference, also where nothing of it is kept:
  /// `begin(path, is_archive)` says of which one the bytes are that follow (is_archive: see there), and
  /// `end()` comes after them. Sources that are one document each are left out.
  virtual Result<void> copy_kept_by_source(
      const std::function<bool(DocId)>& keep,
      const std::function<Result<void>(std::string_view path, bool is_archive)>& begin,
      const std::function<Result<void>(std::string_view bytes)>& write, const KeptPlaced& placed,
      const std::function<Result<void>()>& end) const = 0;

  /// Bytes of the file that is this document, as it is stored; nothing of records and of what was no file.
  [[nodiscard]] virtual std::optional<std::uint64_t> stored_bytes(DocId document) const = 0;
  /// All bytes of the sources that are no references, in their order; of tables only their names. Call when
  /// the stream has ended.
  virtual Result<void> cut_sources(PieceSink& sink) const = 0;
  /// The rows of tables that are no references: which ones `keep` takes, and the others.
  virtual Result<void> copy_left_rows(const std::function<bool(DocId)>& keep, RowSink& sink) const = 0;
  /// Bytes [begin, begin + size) of a record as copy_kept() writes it; of a file that is one document those
  /// of the file.
  virtual Result<void> read_kept(DocId document, std::uint64_t begin, std::size_t size, char* out,
                                 ReadScratch& scratch) const = 0;
};

}  // namespace leitong
