// Corpus over a list of sources: the tables that commit() fills, and reading by document number.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "base/try.hpp"
#include "corpus/batch.hpp"
#include "corpus/batch_reader.hpp"
#include "corpus/corpus.hpp"
#include "corpus/csv_dialect.hpp"
#include "corpus/cut_copy.hpp"
#include "corpus/extended_copy.hpp"
#include "corpus/json_names.hpp"
#include "corpus/placed_records.hpp"
#include "corpus/quarantine.hpp"
#include "corpus/record_format.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_list.hpp"
#include "corpus/source_pieces.hpp"
#include "io/encoding.hpp"
#include "leitong/json.hpp"

namespace leitong {
namespace {

constexpr std::size_t kRepeatedExamples = 10;

/// The window that compressed data may refer back to: as wanted, but at most a quarter of a memory budget.
std::uint64_t window_within(std::uint64_t asked, std::uint64_t memory) {
  return memory == 0 || asked != kUsualWindow ? asked : std::min(kUsualWindow, memory / 4);
}

/// next_batch() and commit() may run at the same time. The first one writes to a source only before it
/// returns the source's first batch; the tables below belong to the second one.
class FileCorpus final : public Corpus {
 public:
  FileCorpus(InputOptions options, SourceList sources, const RunContext& run, bool as_it_comes)
      : options_(std::move(options)),
        names_(options_.id_field, options_.text_fields, options_.extra_fields),
        sources_(std::move(sources)),
        stop_(run.stop),
        store_(sources_, run.work, stop_),
        access_{sources_,
                store_,
                names_,
                options_.max_record_bytes,
                window_within(options_.max_window_bytes, run.memory.limit()),
                bytes_read_,
                stop_,
                run.memory.limit()},
        reader_(access_, options_.formats != nullptr ? *options_.formats : standard_formats(),
                options_.encoding, as_it_comes),
        quarantine_(run.work) {
    names_.html = options_.html;
    names_.vector = options_.vector_field;
    names_.encoding = options_.encoding;
    // open_files() has checked them.
    names_.delimiter = parse_delimiter(options_.delimiter).value_or(std::nullopt);
    names_.quotes = parse_quote(options_.quote).value_or(std::nullopt);
    names_.max_body_bytes = options_.max_record_bytes;
    names_.blank_texts = options_.blank_texts;
  }

  std::unique_ptr<ReadScratch> new_scratch() const override { return std::make_unique<Scratch>(); }

  Result<std::unique_ptr<RecordBatch>> next_batch() override {
    LEITONG_ASSIGN(std::unique_ptr<Batch> batch, reader_.next());
    return std::unique_ptr<RecordBatch>(std::move(batch));
  }

  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override {
    auto& records = static_cast<Batch&>(batch);
    if (records.source_count > 0) parser(records.source, scratch).parse(records, each);
  }

  Result<void> commit(RecordBatch& batch) override;
  void save(const RecordBatch& batch, std::string& state) const override {
    pack(static_cast<const Batch&>(batch), state);
  }
  Result<void> restore(RecordBatch& record_batch, std::string_view state) const override {
    auto& batch = static_cast<Batch&>(record_batch);
    LEITONG_TRY(unpack(state, batch));
    // What parse() would have read.
    if (batch.files)
      for (const FileStamp& stamp : batch.stamps) bytes_read_ += stamp.size;
    return {};
  }
  Result<std::string> list_input() const override;

  std::uint64_t size() const noexcept override { return places_.size(); }
  std::uint64_t bytes_read() const noexcept override { return bytes_read_.load(std::memory_order_relaxed); }
  std::uint64_t total_bytes() const noexcept override { return sources_.total_bytes(); }

  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override {
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, scratch));
    return DocumentText{fields->id, fields->text};
  }

  Place place(DocId document) const override { return places_[document]; }
  std::string place_name(DocId document) const override {
    const Place place = places_[document];
    return name_place(place.source, place.line);
  }
  Result<std::string> id(DocId document, ReadScratch& scratch) const override {
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, scratch));
    return fields->id.empty() ? place_name(document) : std::string(fields->id);
  }
  Result<std::string> field(DocId document, std::string_view name, ReadScratch& scratch) const override {
    const auto& names = options_.extra_fields;
    const auto slot = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (slot == names.size())
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the field \"{}\" was not asked for when the input was opened", name));
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, scratch));
    return slot < fields->extra.size() ? std::string(fields->extra[slot]) : std::string();
  }
  Result<std::vector<std::string>> field_names(DocId document, std::string_view path,
                                               ReadScratch& scratch) const override {
    const Place place = places_[document];
    return parser(place.source, scratch).field_names(place, path);
  }
  std::string_view source_path(DocId document) const override {
    return sources_.path(places_.source(document));
  }
  PlacedSource placed_source(DocId document) const {
    const std::uint32_t number = places_.source(document);
    const Source& source = sources_[number];
    // Records of other formats need what stands before them, as the columns of a table.
    const bool alone = source.head == nullptr || (!source.head->is_table && !source.head->is_scattered);
    const bool placed = source.regular && !source.decoded && source.format->has_byte_places() &&
                        !is_file(number) && alone && !store_.is_spooled(number);
    return {placed ? source.format->info().name : std::string_view(), source.stamp};
  }
  DocId reference_count() const noexcept override { return reference_count_; }
  bool one_document_a_file() const noexcept override {
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      if (!sources_[i].reference && !is_file(i)) return false;
    return sources_.size() > 0;
  }

  std::uint64_t quarantined() const noexcept override { return quarantine_.size(); }
  std::string first_quarantined() const override { return quarantine_.first(); }
  Result<void> for_each_quarantined(const EachQuarantined& each) const override {
    return quarantine_.for_each(each);
  }
  std::vector<DocId> documents_before_quarantined() const override { return before_quarantined_; }
  std::uint64_t records() const noexcept override { return size() + quarantined(); }
  std::uint64_t other_records() const noexcept override { return other_records_; }
  bool is_archive() const noexcept override {
    const RecordFormat* format = kept_format();
    return format != nullptr && format->info().is_archive;
  }
  std::string_view kept_kind() const noexcept override {
    const RecordFormat* format = kept_format();
    return format == nullptr ? std::string_view() : format->info().name;
  }
  Result<RepeatedIds> repeated_ids() const override;
  std::uint64_t truncated_inputs() const noexcept override { return truncated_inputs_; }
  Result<void> check_copyable() const override;
  Result<void> copy_kept(const std::function<bool(DocId)>& keep, const WriteBytes& write,
                         const KeptPlaced& placed) const override;
  Result<void> check_cuttable(bool one_output) const override {
    LEITONG_TRY(check_cut(access_, places_, reference_count_));
    return one_output ? check_copyable() : Result<void>{};
  }
  Result<void> copy_cut(const CutRecord& cut, const WriteBytes& write,
                        const CutPlaced& placed) const override {
    LEITONG_TRY(check_cuttable(true));
    const RecordFormat* const format = kept_format();
    if (format == nullptr) return {};
    return copy_cut_records(access_, places_, reference_count_, *format, cut, write, placed);
  }
  Result<void> copy_cut_by_source(const CutRecord& cut,
                                  const std::function<Result<void>(std::string_view, bool)>& begin,
                                  const WriteBytes& write, const CutPlaced& placed,
                                  const std::function<Result<void>()>& end) const override {
    LEITONG_TRY(check_cuttable(false));
    return copy_cut_sources(access_, places_, reference_count_, cut, begin, write, placed, end);
  }
  Result<void> check_extendable(const std::vector<AddedField>& fields, bool one_output) const override {
    LEITONG_TRY(check_extended(access_, places_, reference_count_, fields));
    return one_output ? check_copyable() : Result<void>{};
  }
  Result<void> copy_extended(const std::vector<AddedField>& fields, const Extend& extend,
                             const WriteBytes& write) const override {
    LEITONG_TRY(check_copyable());
    const RecordFormat* format = kept_format();
    if (format == nullptr) return {};
    return copy_extended_records(access_, places_, reference_count_, *format, fields, extend, write);
  }
  Result<void> copy_extended_by_source(const std::vector<AddedField>& fields, const Extend& extend,
                                       const std::function<Result<void>(std::string_view, bool)>& begin,
                                       const WriteBytes& write,
                                       const std::function<Result<void>()>& end) const override {
    return copy_extended_sources(access_, places_, reference_count_, fields, extend, begin, write, end);
  }
  Result<void> copy_kept_by_source(const std::function<bool(DocId)>& keep,
                                   const std::function<Result<void>(std::string_view, bool)>& begin,
                                   const WriteBytes& write, const KeptPlaced& placed,
                                   const std::function<Result<void>()>& end) const override;
  std::optional<std::uint64_t> stored_bytes(DocId document) const override {
    const Source& source = sources_[places_.source(document)];
    if (places_[document].line != 0 || !source.regular) return std::nullopt;
    return source.stamp.size;
  }
  Result<void> cut_sources(PieceSink& sink) const override;
  Result<void> copy_left_rows(const FateOf& fate_of, RowSink& sink) const override;
  Result<void> read_kept(DocId document, std::uint64_t begin, std::size_t size, char* out,
                         ReadScratch& scratch) const override {
    std::optional<KeptBytes>& kept = static_cast<Scratch&>(scratch).kept;
    if (!kept) kept.emplace(access_);
    return kept->read(places_[document], begin, size, out);
  }

 private:
  /// The format of the kept records; null if nothing can be kept.
  [[nodiscard]] const RecordFormat* kept_format() const noexcept;
  /// A parser for each format that the thread has met.
  struct Scratch final : ReadScratch {
    std::vector<std::pair<const RecordFormat*, std::unique_ptr<RecordParser>>> parsers;
    std::optional<KeptBytes> kept;
  };

  RecordParser& parser(std::uint32_t source, ReadScratch& scratch) const;
  /// Is the source one document, or unknown?
  bool is_file(std::uint32_t source) const noexcept {
    const RecordFormat* format = sources_[source].format;
    return format == nullptr || format->info().one_document_a_file;
  }
  Result<void> accept(const Batch& batch, const AcceptedRecord& accepted, std::uint64_t first_line);
  /// `before`: number of documents before it. `fault`: a place within the record that begins with `line`, or
  /// within the file.
  Result<void> reject(DocId before, std::uint32_t source, std::uint64_t line, TextPlace fault,
                      std::string_view id, std::string_view reason);
  std::string name_place(std::uint32_t source, std::uint64_t line) const {
    return line == 0 ? std::string(sources_.path(source)) : fmt::format("{}:{}", sources_.path(source), line);
  }
  Result<const RecordFields*> reread(DocId document, ReadScratch& scratch) const {
    const Place place = places_[document];
    return parser(place.source, scratch).read(place);
  }

  InputOptions options_;
  FieldNames names_;
  SourceList sources_;
  StopToken stop_;
  RecordStore store_;
  mutable std::atomic<std::uint64_t> bytes_read_{0};  // parse() adds to it, too
  InputAccess access_;
  BatchReader reader_;

  PlaceTable places_;
  DocId reference_count_ = 0;
  std::uint32_t source_ = UINT32_MAX;  // of the last committed batch
  std::uint64_t line_ = 1;             // of source_: the first that is not committed
  Quarantine quarantine_;
  std::vector<DocId> before_quarantined_;
  std::uint64_t other_records_ = 0;
  std::uint64_t truncated_inputs_ = 0;
  std::vector<std::pair<std::uint32_t, std::string>> cut_short_;  // sources, and the reasons
  IdHashes ids_;
  IdSet strict_ids_;
};

RecordParser& FileCorpus::parser(std::uint32_t source, ReadScratch& scratch) const {
  auto& parsers = static_cast<Scratch&>(scratch).parsers;
  const RecordFormat* format = sources_[source].format;
  for (const auto& [known, made] : parsers)
    if (known == format) return *made;
  return *parsers.emplace_back(format, format->new_parser(access_)).second;
}

Result<std::string> FileCorpus::list_input() const {
  std::string list;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.regular && !source.given)
      return fail(
          ErrorCode::unsupported,
          fmt::format("{}: what is no file can't be read again by a later run; write it into a file first",
                      sources_.path(i)));
    fmt::format_to(std::back_inserter(list), "{}{}\t{} bytes, modified {}\n",
                   source.reference ? "reference " : "", json_string(sources_.path(i)), source.stamp.size,
                   source.stamp.modified);
  }
  return list;
}

Result<void> FileCorpus::commit(RecordBatch& record_batch) {
  Batch& batch = static_cast<Batch&>(record_batch);
  if (batch.failure) return tl::unexpected<Error>(*batch.failure);
  if (batch.source != source_) {
    source_ = batch.source;
    line_ = 1;
  }
  const bool has_lines = !batch.files && !is_file(batch.source);
  const std::uint64_t first_line = line_ + batch.skipped_lines;
  for (std::size_t i = 0; i < batch.stamps.size(); ++i)
    sources_[batch.source + static_cast<std::uint32_t>(i)].stamp = batch.stamps[i];
  std::size_t earlier = 0;  // of the accepted ones
  for (const RejectedRecord& rejected : batch.rejected) {
    const auto place = std::pair(std::uint64_t{rejected.source}, rejected.line);
    while (earlier < batch.accepted.size() && std::pair(std::uint64_t{batch.accepted[earlier].source},
                                                        std::uint64_t{batch.accepted[earlier].line}) < place)
      ++earlier;
    LEITONG_TRY(reject(places_.size() + static_cast<DocId>(earlier), batch.source + rejected.source,
                       has_lines ? first_line + rejected.line : 0, rejected.fault, rejected.id,
                       rejected.reason));
    truncated_inputs_ += rejected.cut_short ? 1 : 0;
  }
  for (const AcceptedRecord& accepted : batch.accepted)
    LEITONG_TRY(accept(batch, accepted, has_lines ? first_line : 0));
  line_ = first_line + batch.lines + batch.fault_lines;
  truncated_inputs_ += batch.fault_cuts_short ? 1 : 0;
  if (batch.fault_cuts_short) cut_short_.emplace_back(batch.source, *batch.fault);
  other_records_ += batch.other_records;
  if (!batch.fault) return {};
  return reject(places_.size(), batch.source,
                has_lines && batch.fault_lines > 0 ? first_line + batch.lines : 0, {1, 0}, {}, *batch.fault);
}

Result<void> FileCorpus::accept(const Batch& batch, const AcceptedRecord& accepted,
                                std::uint64_t first_line) {
  const DocId document = places_.size();
  if (document == kNoDocument)
    return fail(ErrorCode::limit, "more than 4,294,967,294 documents; split the input");
  Place place;
  place.source = batch.source + accepted.source;
  place.detail = accepted.detail;
  place.position = batch.position + accepted.position;
  place.line = first_line == 0 ? 0 : first_line + accepted.line;
  places_.push_back(place);
  if (sources_[place.source].reference) reference_count_ = document + 1;
  ids_.push_back(accepted.id_hash);
  if (!options_.strict || accepted.id_hash == 0) return {};

  const auto earlier = strict_ids_.insert(accepted.id_hash, document);
  if (!earlier) return {};
  Scratch scratch;
  LEITONG_ASSIGN(const std::string first, id(*earlier, scratch));
  LEITONG_ASSIGN(const std::string second, id(document, scratch));
  if (first != second) return {};
  return fail(ErrorCode::corrupt, fmt::format("{}: id \"{}\" occurs a second time, first at {}",
                                              place_name(document), second, place_name(*earlier)));
}

Result<void> FileCorpus::reject(DocId before, std::uint32_t source, std::uint64_t line, TextPlace fault,
                                std::string_view id, std::string_view reason) {
  std::string place = name_place(source, line);
  if (fault.column > 0)
    place = fmt::format("{}:{}", name_place(source, std::max<std::uint64_t>(line, 1) + fault.line - 1),
                        fault.column);
  if (options_.strict) return fail(ErrorCode::corrupt, fmt::format("{}: {}", place, reason));
  before_quarantined_.push_back(before);
  const QuarantinedRecord record{id, place, reason};
  if (options_.on_quarantined) options_.on_quarantined(before, record);
  return quarantine_.add(record);
}

Result<void> FileCorpus::check_copyable() const {
  std::uint32_t first = UINT32_MAX;
  Result<void> result;
  const auto refuse = [&](std::string message) { result = fail(ErrorCode::unsupported, std::move(message)); };
  places_.each_source(reference_count_, [&](std::uint32_t number) {
    if (!result) return;
    const Source& here = sources_[number];
    const std::string_view path = sources_.path(number);
    if (is_file(number))
      return refuse(fmt::format(
          "{}: a file that is one document can't be copied into a file of records; read it alone, then the "
          "output is a list of paths or a folder",
          path));
    if (first == UINT32_MAX) first = number;
    const Source& model = sources_[first];
    if (here.format != model.format)
      return refuse(fmt::format(
          "{}: {} records can't be written into one file with the {} records of {}; use one kind a run", path,
          here.format->info().name, model.format->info().name, sources_.path(first)));
    if (const std::string why = here.format->mismatch(model, here); !why.empty())
      refuse(fmt::format("{} and {}: {}", sources_.path(first), path, why));
  });
  return result;
}

const RecordFormat* FileCorpus::kept_format() const noexcept {
  if (reference_count_ < size()) return sources_[places_.source(reference_count_)].format;
  // If there are no documents, the first source with records still tells the format of an empty output.
  for (std::uint32_t i = 0; i < sources_.size(); ++i)
    if (!sources_[i].reference && !is_file(i) && sources_[i].format != nullptr) return sources_[i].format;
  return nullptr;
}

Result<void> FileCorpus::copy_kept(const std::function<bool(DocId)>& keep, const WriteBytes& write,
                                   const KeptPlaced& placed) const {
  LEITONG_TRY(check_copyable());
  const RecordFormat* format = kept_format();
  if (format == nullptr) return {};
  const std::unique_ptr<KeptWriter> writer = format->new_writer(access_, write);
  for (DocId document = reference_count_; document < places_.size(); ++document) {
    if (!keep(document)) continue;
    LEITONG_TRY(writer->add(places_[document]));
    if (placed) LEITONG_TRY(placed(document, writer->last()));
  }
  return writer->finish();
}

Result<void> FileCorpus::copy_kept_by_source(const std::function<bool(DocId)>& keep,
                                             const std::function<Result<void>(std::string_view, bool)>& begin,
                                             const WriteBytes& write, const KeptPlaced& placed,
                                             const std::function<Result<void>()>& end) const {
  DocId document = reference_count_;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    // Nothing is known of a source that could not be opened.
    if (source.reference || is_file(i) || (source.format->info().is_table && source.head == nullptr))
      continue;
    LEITONG_TRY(begin(sources_.path(i), source.format->info().is_archive));
    const std::unique_ptr<KeptWriter> writer = source.format->new_writer(access_, write);
    LEITONG_TRY(writer->begin(i));
    for (; document < places_.size(); ++document) {
      const Place place = places_[document];
      if (place.source != i) break;
      if (!keep(document)) continue;
      LEITONG_TRY(writer->add(place));
      if (placed) LEITONG_TRY(placed(document, writer->last()));
    }
    LEITONG_TRY(writer->finish());
    LEITONG_TRY(end());
  }
  return {};
}

Result<void> FileCorpus::cut_sources(PieceSink& sink) const {
  SourcePieces pieces(access_, places_);
  DocId document = reference_count_;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].reference) continue;
    const auto cut = std::ranges::find(cut_short_, i, &std::pair<std::uint32_t, std::string>::first);
    LEITONG_ASSIGN(
        document,
        pieces.cut_source(i, document, cut == cut_short_.end() ? std::string_view() : cut->second, sink));
  }
  return {};
}

Result<void> FileCorpus::copy_left_rows(const FateOf& fate_of, RowSink& sink) const {
  const WriteBytes write = [&](std::string_view bytes) { return sink.write(bytes); };
  DocId document = reference_count_;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.reference || source.head == nullptr || !source.format->info().is_table) continue;
    while (document < places_.size() && places_[document].source < i) ++document;
    LEITONG_TRY(sink.begin_table(sources_.path(i)));
    std::unique_ptr<KeptWriter> writer;
    for (std::uint64_t row = 1; row <= source.head->rows; ++row) {  // counted as in places
      const bool is_document =
          document < places_.size() && places_[document].source == i && places_[document].line == row;
      RowFate fate = RowFate::left;
      if (is_document) {
        LEITONG_ASSIGN(fate, fate_of(document));
      }
      sink.row(fate, is_document ? document : kNoDocument);
      document += is_document ? 1 : 0;
      if (fate == RowFate::stays) continue;
      if (!writer) writer = source.format->new_writer(access_, write);
      LEITONG_TRY(writer->add({.source = i, .line = row}));
    }
    if (writer) LEITONG_TRY(writer->finish());
    LEITONG_TRY(sink.end_table());
  }
  return {};
}

Result<Corpus::RepeatedIds> FileCorpus::repeated_ids() const {
  Scratch scratch;
  std::optional<Error> failure;
  RepeatedIds result;
  const auto is_same = [&](const Repetition& repetition) {
    const auto first = id(repetition.first, scratch);
    const auto second = id(repetition.second, scratch);
    if (!first || !second) failure = first ? second.error() : first.error();
    if (failure || *first != *second) return false;
    result.examples.push_back({*first, place_name(repetition.first), place_name(repetition.second)});
    return true;
  };
  result.count = ids_.find(kRepeatedExamples, is_same).count;
  if (failure) return tl::unexpected<Error>(*failure);
  return result;
}

Result<std::unique_ptr<Corpus>> open_files(InputOptions options, const RunContext& run, bool as_it_comes) {
  // 4 GiB less a little: a place and the JSON parser hold lengths in 32 bits.
  constexpr std::uint64_t kLargestRecord = (std::uint64_t{4} << 30) - (std::uint64_t{1} << 20);
  if (options.paths.empty() && options.given_references.empty())
    return fail(ErrorCode::invalid_argument, "no input; name files, folders or - (standard input)");
  if (options.text_fields.empty())
    return fail(ErrorCode::invalid_argument, "no text field; name at least one", "text_fields");
  if (is_list_name(options.id_field))
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" names a list, and an id is one value", options.id_field), "id_field");
  if (options.max_record_bytes == 0 || options.max_record_bytes > kLargestRecord)
    return fail(ErrorCode::invalid_argument,
                fmt::format("the record limit must be between 1 and {} bytes", kLargestRecord),
                "max_record_bytes");
  LEITONG_TRY(check_encoding(options.encoding));
  LEITONG_TRY(parse_delimiter(options.delimiter));
  LEITONG_TRY(parse_quote(options.quote));
  LEITONG_ASSIGN(SourceList sources, list_sources(options));
  return std::make_unique<FileCorpus>(std::move(options), std::move(sources), run, as_it_comes);
}

}  // namespace

Result<std::unique_ptr<Corpus>> Corpus::open(InputOptions options, const RunContext& run) {
  return open_files(std::move(options), run, false);
}

Result<std::unique_ptr<Corpus>> open_live_corpus(InputOptions options, const RunContext& run) {
  return open_files(std::move(options), run, true);
}

PlacedSource placed_source(const Corpus& corpus, DocId document) {
  const auto* const files = dynamic_cast<const FileCorpus*>(&corpus);
  return files == nullptr ? PlacedSource() : files->placed_source(document);
}

}  // namespace leitong
