// Corpus over a list of sources: the tables that commit() fills, and reading by document number.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "corpus/batch.hpp"
#include "corpus/batch_parser.hpp"
#include "corpus/batch_reader.hpp"
#include "corpus/corpus.hpp"
#include "corpus/kept_copy.hpp"
#include "corpus/quarantine.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_list.hpp"
#include "io/output_file.hpp"

namespace leitong {
namespace {

constexpr std::size_t kRepeatedExamples = 10;

/// Buffers of one thread that are larger are given back after use.
constexpr std::size_t kKeptBuffer = std::size_t{16} << 20;

/// next_batch() and commit() may run at the same time: of a source the first writes only before it hands out
/// the source's first batch, and the tables below are the second's.
class FileCorpus final : public Corpus {
 public:
  FileCorpus(InputOptions options, SourceList sources, const RunContext& run)
      : options_(std::move(options)),
        names_(options_.id_field, options_.text_fields, options_.extra_fields),
        sources_(std::move(sources)),
        stop_(run.stop),
        store_(sources_, run.work, stop_),
        reader_(sources_, store_, names_, {options_.max_record_bytes, stop_}),
        quarantine_(run.work) {
    names_.html = options_.html;
  }

  std::unique_ptr<ReadScratch> new_scratch() const override { return std::make_unique<Scratch>(*this); }

  Result<std::unique_ptr<RecordBatch>> next_batch() override {
    LEITONG_ASSIGN(std::unique_ptr<Batch> batch, reader_.next());
    return std::unique_ptr<RecordBatch>(std::move(batch));
  }

  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override {
    static_cast<Scratch&>(scratch).parser.parse(static_cast<Batch&>(batch), each);
  }

  Result<void> commit(RecordBatch& batch) override;

  std::uint64_t size() const noexcept override { return places_.size(); }
  std::uint64_t bytes_read() const noexcept override { return reader_.bytes_read(); }
  std::uint64_t total_bytes() const noexcept override { return sources_.total_bytes(); }

  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override {
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, static_cast<Scratch&>(scratch)));
    return DocumentText{fields->id, fields->text};
  }

  Place place(DocId document) const override { return places_[document]; }
  std::string place_name(DocId document) const override {
    const Place place = places_[document];
    return name_place(place.source, place.line);
  }
  Result<std::string> id(DocId document, ReadScratch& scratch) const override {
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, static_cast<Scratch&>(scratch)));
    return fields->id.empty() ? place_name(document) : std::string(fields->id);
  }
  Result<std::string> field(DocId document, std::string_view name, ReadScratch& scratch) const override {
    const auto& names = options_.extra_fields;
    const auto slot = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (slot == names.size())
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the field \"{}\" was not asked for when the input was opened", name));
    LEITONG_ASSIGN(const RecordFields* fields, reread(document, static_cast<Scratch&>(scratch)));
    return slot < fields->extra.size() ? std::string(fields->extra[slot]) : std::string();
  }
  std::string_view source_path(DocId document) const override {
    return sources_.path(places_.source(document));
  }
  DocId reference_count() const noexcept override { return reference_count_; }
  bool one_document_a_file() const noexcept override {
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      if (!sources_[i].reference && !is_one_document(sources_[i].kind)) return false;
    return sources_.size() > 0;
  }

  std::uint64_t quarantined() const noexcept override { return quarantine_.size(); }
  std::string first_quarantined() const override { return quarantine_.first(); }
  Result<void> for_each_quarantined(const EachQuarantined& each) const override {
    return quarantine_.for_each(each);
  }
  std::uint64_t records() const noexcept override { return size() + quarantined(); }
  Result<RepeatedIds> repeated_ids() const override;
  Result<void> check_copyable() const override {
    return leitong::check_copyable({sources_, store_, places_, reference_count_});
  }
  Result<void> copy_kept(const std::function<bool(DocId)>& keep,
                         const std::function<Result<void>(std::string_view)>& write) const override {
    return leitong::copy_kept({sources_, store_, places_, reference_count_}, keep, write);
  }

 private:
  struct Scratch final : ReadScratch {
    explicit Scratch(const FileCorpus& corpus)
        : parser(corpus.sources_, corpus.names_, corpus.options_.max_record_bytes,
                 corpus.reader_.byte_counter(), corpus.stop_) {}
    BatchParser parser;
    StoreCursor cursor;
    PaddedBytes record;
  };

  Result<void> accept(const Batch& batch, const AcceptedRecord& accepted, std::uint64_t first_line);
  Result<void> reject(std::uint32_t source, std::uint64_t line, std::string_view id, std::string_view reason);
  std::string name_place(std::uint32_t source, std::uint64_t line) const {
    return line == 0 ? std::string(sources_.path(source)) : fmt::format("{}:{}", sources_.path(source), line);
  }
  Result<const RecordFields*> reread(DocId document, Scratch& scratch) const;

  InputOptions options_;
  FieldNames names_;
  SourceList sources_;
  StopToken stop_;
  RecordStore store_;
  mutable BatchReader reader_;  // mutable for its byte counter, which parse() feeds, too

  PlaceTable places_;
  DocId reference_count_ = 0;
  std::uint32_t source_ = UINT32_MAX;  // of the last committed batch
  std::uint64_t line_ = 1;             // of source_, the first that isn't committed
  Quarantine quarantine_;
  IdHashes ids_;
  IdSet strict_ids_;
};

Result<void> FileCorpus::commit(RecordBatch& record_batch) {
  Batch& batch = static_cast<Batch&>(record_batch);
  if (batch.source != source_) {
    source_ = batch.source;
    line_ = 1;
  }
  const bool has_lines = !batch.files && !is_one_document(sources_[batch.source].kind);
  const std::uint64_t first_line = line_ + batch.skipped_lines;
  for (std::size_t i = 0; i < batch.stamps.size(); ++i)
    sources_[batch.source + static_cast<std::uint32_t>(i)].stamp = batch.stamps[i];
  for (const RejectedRecord& rejected : batch.rejected)
    LEITONG_TRY(reject(batch.source + rejected.source, has_lines ? first_line + rejected.line : 0,
                       rejected.id, rejected.reason));
  for (const AcceptedRecord& accepted : batch.accepted)
    LEITONG_TRY(accept(batch, accepted, has_lines ? first_line : 0));
  line_ = first_line + batch.data_lines + batch.fault_lines;
  if (batch.fault)
    LEITONG_TRY(reject(batch.source, has_lines && batch.fault_lines > 0 ? first_line + batch.data_lines : 0,
                       {}, *batch.fault));
  return {};
}

Result<void> FileCorpus::accept(const Batch& batch, const AcceptedRecord& accepted,
                                std::uint64_t first_line) {
  const DocId document = places_.size();
  if (document == kNoDocument)
    return fail(ErrorCode::limit, "more than 4,294,967,294 documents; split the input");
  Place place;
  place.source = batch.source + (batch.files ? accepted.offset : 0);
  place.length = accepted.length;
  place.offset = batch.files ? 0 : batch.offset + accepted.offset;
  place.line = first_line == 0 ? 0 : first_line + accepted.line;
  places_.push_back(place);
  if (sources_[place.source].reference) reference_count_ = document + 1;
  ids_.push_back(accepted.id_hash);
  if (!options_.strict || accepted.id_hash == 0) return {};

  const auto earlier = strict_ids_.insert(accepted.id_hash, document);
  if (!earlier) return {};
  Scratch scratch(*this);
  LEITONG_ASSIGN(const std::string first, id(*earlier, scratch));
  LEITONG_ASSIGN(const std::string second, id(document, scratch));
  if (first != second) return {};
  return fail(ErrorCode::corrupt, fmt::format("{}: id \"{}\" occurs a second time, first at {}",
                                              place_name(document), second, place_name(*earlier)));
}

Result<void> FileCorpus::reject(std::uint32_t source, std::uint64_t line, std::string_view id,
                                std::string_view reason) {
  const std::string place = name_place(source, line);
  if (options_.strict) return fail(ErrorCode::corrupt, fmt::format("{}: {}", place, reason));
  return quarantine_.add({id, place, reason});
}

Result<const RecordFields*> FileCorpus::reread(DocId document, Scratch& scratch) const {
  const Place place = places_[document];
  const Source& source = sources_[place.source];
  if (place.line == 0 && source.regular) return scratch.parser.read_file(place.source);
  if (scratch.record.capacity() > kKeptBuffer) scratch.record = PaddedBytes();
  scratch.record.resize(place.length);
  LEITONG_TRY(store_.read(place.source, place.offset, scratch.record.data(), place.length, scratch.cursor));
  const RecordFields& fields = scratch.parser.read(source, scratch.record.view());
  if (!fields.problem.empty()) return changed_file(sources_.path(place.source));
  return &fields;
}

Result<Corpus::RepeatedIds> FileCorpus::repeated_ids() const {
  Scratch scratch(*this);
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

}  // namespace

Result<std::unique_ptr<Corpus>> Corpus::open(InputOptions options, const RunContext& run) {
  // 4 GiB less a little: a place holds a length in 32 bits, and the JSON parser counts in them, too.
  constexpr std::uint64_t kLargestRecord = (std::uint64_t{4} << 30) - (std::uint64_t{1} << 20);
  if (options.paths.empty())
    return fail(ErrorCode::invalid_argument, "no input; name files, folders or - (standard input)");
  if (options.text_fields.empty())
    return fail(ErrorCode::invalid_argument, "no text field; name one with --text-field");
  if (options.max_record_bytes == 0 || options.max_record_bytes > kLargestRecord)
    return fail(ErrorCode::invalid_argument,
                fmt::format("--max-record must be between 1 and {} bytes", kLargestRecord));
  LEITONG_ASSIGN(SourceList sources, list_sources(options));
  return std::make_unique<FileCorpus>(std::move(options), std::move(sources), run);
}

}  // namespace leitong
