// Documents from files, folders and pipes, in every format and compression that leitong reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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
#include "io/table_files.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

class FormatRegistry;
class PieceSink;
class RecordFormat;
class RowSink;
enum class RowFate : std::uint8_t;
struct KeptPlace;
struct TextEdit;

/// The options of a caller, with those that only higher layers set.
struct InputOptions : InputFiles {
  InputOptions() = default;
  InputOptions(InputFiles files) : InputFiles(std::move(files)) {}  // NOLINT(google-explicit-constructor)

  const FormatRegistry* formats = nullptr;  ///< null: all formats (standard_formats())
  /// Fields that a keep policy needs (numbers or strings), see Corpus::field().
  std::vector<std::string> extra_fields = {};
  /// The one of them whose value is an array of numbers: Corpus::field() returns it as JSON. Empty: none.
  std::string vector_field = {};
  bool found = false;        ///< the paths come from a listing: an unreadable one is a quarantined record
  bool blank_texts = false;  ///< a text of white space alone is also a document
  /// Corpus::commit() calls it for each quarantined record, with the number of documents before it.
  std::function<void(DocId before, const QuarantinedRecord& record)> on_quarantined = {};
  /// Sources that are no files: references that are read after reference_paths.
  struct Given {
    std::string name;                            ///< shown as its path
    std::shared_ptr<const RecordFormat> format;  ///< opens the source itself: OpenedSource has no bytes
    FileStamp stamp;                             ///< a later run with the same stamp reads the same
    std::uint64_t memory = 0;                    ///< bytes of the run's budget that it takes
  };
  std::vector<Given> given_references = {};
};

/// The DocumentSource of files. Single-threaded unless DocumentSource says otherwise.
class Corpus : public DocumentSource {
 public:
  /// Lists the files and opens them later. Fails for impossible options (no path, unknown option) and if a
  /// path cannot be read; an unreadable file in a folder, or one that vanishes later, is a quarantined
  /// record. Fails with cancelled after a stop of the run. What cannot be read twice goes to the work folder.
  /// The run's context must outlive the corpus.
  static Result<std::unique_ptr<Corpus>> open(InputOptions options, const RunContext& run);

  [[nodiscard]] virtual Place place(DocId document) const = 0;
  /// For a document that is a file: its uncompressed size.
  [[nodiscard]] std::uint64_t file_bytes(DocId document) const { return place(document).detail; }
  /// "data.jsonl.gz:81234", or only the path if a file is one document.
  [[nodiscard]] virtual std::string place_name(DocId document) const = 0;
  /// The id for outputs: the field's value, else place_name(). Reads the record again.
  virtual Result<std::string> id(DocId document, ReadScratch& scratch) const = 0;
  /// The value of a field that InputOptions::extra_fields names ("" if absent). Reads the record again. Fails
  /// with invalid_argument for any other field.
  virtual Result<std::string> field(DocId document, std::string_view name, ReadScratch& scratch) const = 0;
  /// The names of the record's fields, and within the objects that lead to `path`, for messages; none if
  /// records do not name them (JSON does). Reads the record again.
  virtual Result<std::vector<std::string>> field_names(DocId document, std::string_view path,
                                                       ReadScratch& scratch) const = 0;
  /// The path of a document's source (for KeepPolicy::sources); "-" is standard input.
  [[nodiscard]] virtual std::string_view source_path(DocId document) const = 0;
  /// A line "path<TAB>size and time" for each source as it was listed. Fails with unsupported, naming the
  /// source, if one cannot be read again.
  [[nodiscard]] virtual Result<std::string> list_input() const = 0;
  /// Documents [0, reference_count()) came from reference_paths.
  [[nodiscard]] virtual DocId reference_count() const noexcept = 0;
  /// Is every source one document? (Then DedupOutputs::kept is a list of paths or a folder.)
  [[nodiscard]] virtual bool one_document_a_file() const noexcept = 0;

  /// Quarantined records so far.
  [[nodiscard]] virtual std::uint64_t quarantined() const noexcept = 0;
  /// "place: reason" of the first of them, or empty.
  [[nodiscard]] virtual std::string first_quarantined() const = 0;
  /// All of them in input order.
  virtual Result<void> for_each_quarantined(const EachQuarantined& each) const = 0;
  /// Sources whose compressed data are truncated or broken, so that records are lost.
  [[nodiscard]] virtual std::uint64_t truncated_inputs() const noexcept = 0;
  /// Records read: accepted + quarantined. Blank lines are no records.
  [[nodiscard]] virtual std::uint64_t records() const noexcept = 0;
  /// For every quarantined record, in input order, the number of documents before it.
  [[nodiscard]] virtual std::vector<DocId> documents_before_quarantined() const { return {}; }
  /// Records of types that hold no document (requests and pictures in a WARC file); not in records().
  [[nodiscard]] virtual std::uint64_t other_records() const noexcept { return 0; }
  /// Does copy_kept() call `write` once for each record, which becomes a compressed member of its own?
  [[nodiscard]] virtual bool is_archive() const noexcept { return false; }

  /// The format of the kept records (FormatInfo::name); empty if nothing can be kept.
  [[nodiscard]] virtual std::string_view kept_kind() const noexcept = 0;

  /// The number of records with an id that an earlier one had, and the first few of them with both places.
  /// Call it after the end of the stream.
  struct RepeatedIds {
    std::uint64_t count = 0;
    std::vector<RepeatedId> examples;  ///< at most 10
  };
  virtual Result<RepeatedIds> repeated_ids() const = 0;

  /// Is copy_kept() possible? All records must be of one kind, no file may be one document, and CSV must have
  /// one header. Call it after the end of the stream, before hours of work.
  [[nodiscard]] virtual Result<void> check_copyable() const { return {}; }
  /// Calls `write` with every kept record in input order as its format writes it: the exact bytes if records
  /// are lines or rows, after the first source's preamble (a CSV header). Reads sequentially; a changed file
  /// is an error. `keep(document)` is called in order. `placed`, if given, receives the position of each kept
  /// record in the output.
  using KeptPlaced = std::function<Result<void>(DocId document, const KeptPlace& place)>;
  virtual Result<void> copy_kept(const std::function<bool(DocId)>& keep,
                                 const std::function<Result<void>(std::string_view bytes)>& write,
                                 const KeptPlaced& placed) const = 0;
  Result<void> copy_kept(const std::function<bool(DocId)>& keep,
                         const std::function<Result<void>(std::string_view bytes)>& write) const {
    return copy_kept(keep, write, {});
  }
  /// What becomes of a record: it is left out, or written without some bytes of its text (ascending ranges,
  /// valid until the next record is asked about).
  struct RecordCut {
    bool keep = true;
    std::span<const ByteRange> cuts = {};
  };
  /// Is copy_cut() possible, with `one_output` or by source? As check_copyable(), and the format must be able
  /// to write a changed text.
  [[nodiscard]] virtual Result<void> check_cuttable(bool /*one_output*/) const {
    return fail(ErrorCode::unsupported, "texts of this source can't be changed");
  }
  /// Says what becomes of a record. Called once for each document, in order.
  using CutRecord = std::function<Result<RecordCut>(DocId)>;
  /// Receives the position of a written record, and what was done to it.
  using CutPlaced =
      std::function<Result<void>(DocId document, const KeptPlace& place, std::span<const TextEdit>)>;
  /// copy_kept() with texts that lack some of their bytes; everything else of a record is unchanged.
  /// `placed`, if given, is called for each record that is kept.
  virtual Result<void> copy_cut(const CutRecord& /*cut*/,
                                const std::function<Result<void>(std::string_view bytes)>& /*write*/,
                                const CutPlaced& /*placed*/) const {
    return check_cuttable(true);
  }
  /// copy_kept_by_source() in the same way.
  virtual Result<void> copy_cut_by_source(
      const CutRecord& /*cut*/,
      const std::function<Result<void>(std::string_view path, bool is_archive)>& /*begin*/,
      const std::function<Result<void>(std::string_view bytes)>& /*write*/, const CutPlaced& /*placed*/,
      const std::function<Result<void>()>& /*end*/) const {
    return check_cuttable(false);
  }
  /// What is written of a record: how often, and a value for each added field (valid until the next record is
  /// asked about).
  struct Extended {
    std::uint32_t times = 1;
    std::span<const AddedValue> values = {};
  };
  /// Is called at least once for each document, in order, and again in order for each further time that rows
  /// of a table are written; the answer for a document is always the same.
  using Extend = std::function<Result<Extended>(DocId)>;
  /// Is copy_extended() with these fields possible, with `one_output` or by source? Fails with unsupported,
  /// naming the format, if its records can't carry fields, and with invalid_argument if a record or a table
  /// has one of them already; for JSON it reads all records. Call it after the end of the stream.
  [[nodiscard]] virtual Result<void> check_extendable(const std::vector<AddedField>& /*fields*/,
                                                      bool /*one_output*/) const {
    return fail(ErrorCode::unsupported, "records of this source can't carry added fields");
  }
  /// copy_kept() with added fields, if there are any, and with repetitions: a record that is written several
  /// times follows itself. Rows of tables follow the rows of their source, each time all that are left.
  virtual Result<void> copy_extended(const std::vector<AddedField>& fields, const Extend& /*extend*/,
                                     const std::function<Result<void>(std::string_view bytes)>&) const {
    return check_extendable(fields, true);
  }
  /// copy_kept_by_source() in the same way.
  virtual Result<void> copy_extended_by_source(
      const std::vector<AddedField>& fields, const Extend& /*extend*/,
      const std::function<Result<void>(std::string_view path, bool is_archive)>& /*begin*/,
      const std::function<Result<void>(std::string_view bytes)>& /*write*/,
      const std::function<Result<void>()>& /*end*/) const {
    return check_extendable(fields, false);
  }
  /// The same as copy_kept() with one output for each source that is no reference, even if nothing of it is
  /// kept: `begin(path, is_archive)` comes before its bytes (is_archive: see there), and `end()` after them.
  /// Sources that are one document each are left out.
  virtual Result<void> copy_kept_by_source(
      const std::function<bool(DocId)>& keep,
      const std::function<Result<void>(std::string_view path, bool is_archive)>& begin,
      const std::function<Result<void>(std::string_view bytes)>& write, const KeptPlaced& placed,
      const std::function<Result<void>()>& end) const = 0;

  /// The stored size of the file that is this document; nothing for records and for sources that were no
  /// files.
  [[nodiscard]] virtual std::optional<std::uint64_t> stored_bytes(DocId document) const = 0;
  /// Passes on all bytes of the sources that are no references, in their order; of tables only their names.
  /// Call it after the end of the stream.
  virtual Result<void> cut_sources(PieceSink& sink) const = 0;
  /// Says what became of a row. Called once for each document, in order.
  using FateOf = std::function<Result<RowFate>(DocId document)>;
  /// Passes on the rows of tables that are no references: what became of each, and the bytes of those that
  /// are not in the output as they were.
  virtual Result<void> copy_left_rows(const FateOf& fate_of, RowSink& sink) const = 0;
  /// Bytes [begin, begin + size) of a record as copy_kept() writes it; for a file that is one document, of
  /// the file.
  virtual Result<void> read_kept(DocId document, std::uint64_t begin, std::size_t size, char* out,
                                 ReadScratch& scratch) const = 0;
};

/// As Corpus::open(), but a batch holds the records that have arrived, however few, and the kind and encoding
/// of a pipe are detected from its first bytes.
Result<std::unique_ptr<Corpus>> open_live_corpus(InputOptions options, const RunContext& run);

}  // namespace leitong
