// Passes documents of files and pipes to an online index.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "corpus/quarantine.hpp"
#include "index/hamming/fingerprint_digits.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "job/base_text.hpp"
#include "job/field_values.hpp"
#include "job/index_builder.hpp"
#include "job/separate_outputs.hpp"
#include "leitong/online.hpp"
#include "online/exclusions.hpp"
#include "scheme/scheme_file.hpp"

namespace leitong::online {
namespace {

/// A document as it was read, and its fault, if it has one.
struct ReadDocument {
  std::string id, text, source, problem;
  std::optional<Seconds> time, expires;
  std::optional<hamming::Fingerprint128> fingerprint;
  std::vector<std::string> lacks;  // fields without a value
};

/// A record that cannot be a document, and the number of documents before it.
struct UnreadRecord {
  DocId before = 0;
  std::string id, reason;
};

/// Parses a fingerprint in the form of signatures: all digits, hexadecimal or binary.
std::optional<hamming::Fingerprint128> fingerprint_in(std::string_view digits, unsigned bits) {
  if (digits.size() != bits / 4 && digits.size() != bits) return std::nullopt;
  return hamming::parse_digits<hamming::Fingerprint128>(
      digits, digits.size() == bits ? hamming::Digits::binary : hamming::Digits::hex);
}

/// Reads the fields of a document that are needed in addition to its text, or in place of it.
class Details {
 public:
  /// `bits` is the size of fingerprints that replace texts; 0 if there are texts.
  Details(const FileDetails& wanted, unsigned bits)
      : wanted_(wanted),
        bits_(bits),
        now_(std::chrono::duration_cast<std::chrono::seconds>(
                 std::chrono::system_clock::now().time_since_epoch())
                 .count()) {
    for (const std::string& field : {wanted.source_field, wanted.time_field, wanted.expires_field})
      if (!field.empty() && std::ranges::find(fields_, field) == fields_.end()) fields_.push_back(field);
  }
  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }
  /// The field that is read in place of the text; empty if the text is read.
  [[nodiscard]] const std::string& fingerprint_field() const noexcept { return wanted_.fingerprint_field; }

  /// If a fingerprint is needed, parses what was read as the text.
  void take_fingerprint(ReadDocument& document) const {
    if (bits_ == 0) return;
    document.fingerprint = fingerprint_in(document.text, bits_);
    if (!document.fingerprint)
      document.problem = fmt::format(
          "the field \"{}\" holds no fingerprint: {}; give {} hexadecimal digits, or {} binary ones",
          fingerprint_field(), document.text.empty() ? "it is empty" : document.text.substr(0, 60), bits_ / 4,
          bits_);
    document.text.clear();
  }

  Result<void> read(const Corpus& corpus, DocId number, ReadScratch& scratch, ReadDocument& document) const {
    document.source = wanted_.source;
    if (!wanted_.source_field.empty()) {
      LEITONG_ASSIGN(std::string source, value_of(corpus, number, wanted_.source_field, scratch, document));
      if (!source.empty()) document.source = std::move(source);
    }
    LEITONG_TRY(read_time(corpus, number, wanted_.time_field, scratch, document, document.time));
    LEITONG_TRY(read_time(corpus, number, wanted_.expires_field, scratch, document, document.expires));
    if (!document.expires && wanted_.keep_seconds)
      document.expires = document.time.value_or(now_) + *wanted_.keep_seconds;
    return {};
  }

 private:
  Result<std::string> value_of(const Corpus& corpus, DocId number, const std::string& field,
                               ReadScratch& scratch, ReadDocument& document) const {
    LEITONG_ASSIGN(std::string value, corpus.field(number, field, scratch));
    if (value.empty() && !wanted_.fields_are_optional) document.lacks.push_back(field);
    return value;
  }
  Result<void> read_time(const Corpus& corpus, DocId number, const std::string& field, ReadScratch& scratch,
                         ReadDocument& document, std::optional<Seconds>& time) const {
    if (field.empty()) return {};
    LEITONG_ASSIGN(const std::string value, value_of(corpus, number, field, scratch, document));
    if (value.empty()) return {};
    time = parse_time(value);
    if (!time)
      document.problem =
          fmt::format("the field \"{}\" holds no time: {}; write 2026-11-22T08:30:00Z, or seconds since 1970",
                      field, value.substr(0, 60));
    return {};
  }

  const FileDetails& wanted_;
  unsigned bits_;
  Seconds now_;
  std::vector<std::string> fields_;
};

/// Calls ask(texts) for the documents without a fault, with the base of all of them; the others are refused.
template <class Ask>
Result<std::vector<Answer>> answers_about(std::span<const ReadDocument> documents, std::string_view base,
                                          Ask ask) {
  std::vector<Text> texts;
  for (const ReadDocument& d : documents)
    if (d.problem.empty()) texts.push_back({d.id, d.text, d.source, d.time, d.expires, d.fingerprint, base});
  LEITONG_ASSIGN(std::vector<Answer> found, ask(texts));
  std::vector<Answer> answers;
  auto next = found.begin();
  for (const ReadDocument& d : documents)
    answers.push_back(d.problem.empty() ? std::move(*next++)
                                        : Answer{.verdict = Verdict::refused, .reason = d.problem});
  return answers;
}

void count(const ReadDocument& document, const Answer& answer, FileSummary& summary) {
  for (const std::string& field : document.lacks) {
    auto lack = std::ranges::find(summary.lacks, field, &FileSummary::Lack::field);
    if (lack == summary.lacks.end()) lack = summary.lacks.insert(lack, {field, 0});
    ++lack->documents;
  }
  ++summary.documents;
  summary.bounded += answer.bounds.any() ? 1 : 0;
  summary.known += answer.known ? 1 : 0;
  summary.too_short += answer.too_short ? 1 : 0;
  switch (answer.verdict) {
    case Verdict::fresh:
      ++summary.fresh;
      break;
    case Verdict::exact:
      ++summary.exact;
      break;
    case Verdict::near:
      ++summary.near;
      break;
    case Verdict::parts:
      ++summary.parts;
      break;
    case Verdict::refused:
      if (summary.refused++ == 0) summary.first_refused = fmt::format("{}: {}", document.id, answer.reason);
      break;
  }
}

/// A field that no document has probably is a wrong name.
Result<void> check_fields(const Corpus& corpus, const FileSummary& summary) {
  for (const FileSummary::Lack& lack : summary.lacks)
    if (lack.documents == summary.documents) return missing_value(corpus, "field", lack.field);
  return {};
}

void take_figures(const Corpus& corpus, FileSummary& summary) {
  summary.quarantined = corpus.quarantined();
  summary.truncated_inputs = corpus.truncated_inputs();
  summary.first_quarantined = corpus.first_quarantined();
}

/// Passes on the answers for documents, of which the first has this number, and the records between them that
/// cannot be read.
Result<void> pass_on(DocId first, std::span<ReadDocument> documents, std::span<Answer> answers,
                     std::span<UnreadRecord> unread, const AnswersFn& each) {
  std::vector<std::string> ids;
  std::vector<Answer> all;
  auto next = unread.begin();
  for (std::size_t i = 0; i <= documents.size(); ++i) {
    for (; next != unread.end() && next->before <= first + i; ++next) {
      ids.push_back(std::move(next->id));
      all.push_back({.verdict = Verdict::refused, .reason = std::move(next->reason)});
    }
    if (i == documents.size()) break;
    ids.push_back(std::move(documents[i].id));
    all.push_back(std::move(answers[i]));
  }
  return each(ids, all);
}

/// An export may hold blank texts, too.
InputOptions options_of(const InputFiles& input, const Details& details) {
  InputOptions options(input);
  options.extra_fields = details.fields();
  options.blank_texts = true;
  if (!details.fingerprint_field().empty()) options.text_fields = {details.fingerprint_field()};
  return options;
}

/// The text of these files, with a line between two records.
Result<std::string> text_of_base(const Context& context, const InputFiles& input,
                                 const std::vector<std::string>& files) {
  std::string base;
  LEITONG_TRY(read_base_texts(context, input, files, [&](std::string_view text) {
    base += text;
    base += '\n';
  }));
  return base;
}

/// The file for records that cannot be read; null if none is wanted.
Result<std::unique_ptr<OutputFile>> open_quarantine(const FileDetails& details, const InputFiles& input,
                                                    StopToken stop) {
  if (details.quarantine.empty()) return nullptr;
  LEITONG_TRY(check_separate({{"the quarantine", details.quarantine}}, input.paths));
  return OutputFile::create(details.quarantine, details.force, stop);
}

Result<void> finish_quarantine(OutputFile* file, const Corpus& corpus) {
  if (file == nullptr) return {};
  LEITONG_TRY(write_quarantine(corpus, [&](std::string_view block) { return file->write(block); }));
  return file->commit();
}

/// The bits of the fingerprints that are read in place of texts; 0 if texts are read. Fails if the index
/// holds nothing with which they can be compared; `index` returns its figures.
template <class FiguresOf>
Result<unsigned> bits_of_fingerprints(const InputFiles& input, const FileDetails& details, FiguresOf index) {
  if (details.fingerprint_field.empty()) return 0;
  LEITONG_ASSIGN(const Figures figures, index());
  if (figures.bits == 0)
    return fail(ErrorCode::invalid_argument,
                fmt::format("the fingerprint field \"{}\": the index compares texts, and holds no "
                            "fingerprints; read the texts, or make an index by a scheme such as simhash",
                            details.fingerprint_field),
                "fingerprint_field");
  LEITONG_ASSIGN(const SchemeId own, parse_scheme(figures.scheme));
  for (const std::string& path : input.paths) {
    LEITONG_ASSIGN(const std::optional<SchemeId> by, read_scheme_beside(path));
    LEITONG_TRY(check_same_scheme({"the index", own}, {path, by}));
  }
  return figures.bits;
}

/// JSONL whose first line is broken looks like one text a line, and then each record would become a text.
Result<void> check_kind(const InputFiles& input, const Corpus& corpus, DocId first,
                        std::span<const ReadDocument> documents) {
  constexpr DocId kLooksAt = 2;
  if (!input.kind.empty() || first >= kLooksAt || corpus.kept_kind() != "lines") return {};
  for (DocId number = first; number < kLooksAt && number - first < documents.size(); ++number)
    if (documents[number - first].text.starts_with('{'))
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: begins like JSON, but the input doesn't; name the kind jsonl, or lines for "
                      "a text a line",
                      corpus.place_name(number)),
          "kind");
  return {};
}

/// Documents that are read and parsed together, in their order.
struct PartOfInput {
  std::unique_ptr<RecordBatch> batch;
  std::unique_ptr<ReadScratch> scratch;
  DocId first = 0;
  std::vector<ReadDocument> documents;
};

// A part has about 256 KB, or one larger record. Parts are parsed together but checked one after another: of
// texts that are checked at the same time many would have to be checked again, since others of them were
// added under their keys meanwhile.
constexpr std::size_t kPartsAtOnce = 4;

/// Reads the next parts; none at the end.
Result<void> read_parts(Corpus& corpus, const RunContext& run, std::vector<PartOfInput>& parts) {
  parts.resize(kPartsAtOnce);
  for (std::size_t i = 0; i < kPartsAtOnce; ++i) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(parts[i].batch, corpus.next_batch());
    if (parts[i].batch != nullptr) continue;
    parts.resize(i);
    break;
  }
  return {};
}

Result<void> parse_parts(Corpus& corpus, const Details& details, const RunContext& run,
                         std::vector<PartOfInput>& parts) {
  const auto nothing = [] { return 0; };
  LEITONG_TRY(parallel_for_each(run.stop, parts.size(), nothing, [&](std::size_t i, int) -> Result<void> {
    PartOfInput& part = parts[i];
    if (part.scratch == nullptr) part.scratch = corpus.new_scratch();
    part.documents.clear();
    corpus.parse(*part.batch, *part.scratch, [&](const DocumentText& document) {
      ReadDocument& read = part.documents.emplace_back();
      read.id = document.id;
      read.text = document.text;
      details.take_fingerprint(read);
    });
    return {};
  }));
  for (PartOfInput& part : parts) {
    part.first = static_cast<DocId>(corpus.size());
    LEITONG_TRY(corpus.commit(*part.batch));
  }
  return parallel_for_each(run.stop, parts.size(), nothing, [&](std::size_t i, int) -> Result<void> {
    PartOfInput& part = parts[i];
    for (std::size_t d = 0; d < part.documents.size(); ++d) {
      const auto number = static_cast<DocId>(part.first + d);
      if (part.documents[d].id.empty()) part.documents[d].id = corpus.place_name(number);
      LEITONG_TRY(details.read(corpus, number, *part.scratch, part.documents[d]));
    }
    return {};
  });
}

}  // namespace

Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input, FileTask task,
                                const AnswersFn& each, const FileDetails& file_details,
                                const Wanted& wanted) {
  const RunContext run(context);
  LEITONG_ASSIGN(const unsigned bits,
                 bits_of_fingerprints(input, file_details, [&] { return index.figures(); }));
  const Details details(file_details, bits);
  InputOptions options = options_of(input, details);
  std::vector<UnreadRecord> unread;
  options.on_quarantined = [&](DocId before, const QuarantinedRecord& record) {
    unread.push_back(
        {before, std::string(record.id.empty() ? record.place : record.id), std::string(record.reason)});
  };
  LEITONG_ASSIGN(const auto corpus, open_live_corpus(std::move(options), run));
  LEITONG_ASSIGN(const auto quarantine, open_quarantine(file_details, input, run.stop));
  LEITONG_ASSIGN(const std::string base, text_of_base(context, input, file_details.base));
  LEITONG_ASSIGN(const Exclusions exclusions, exclusions_of(wanted));
  const bool own_source = exclusions.same_source;
  if (own_source && file_details.source.empty() && file_details.source_field.empty())
    return fail(ErrorCode::invalid_argument,
                "same_source leaves out texts with the documents' own source; name it", "exclude",
                "source_field");
  const bool reads_details = task != FileTask::check || own_source;
  const auto ask = [&](std::span<const Text> texts) {
    return task == FileTask::check ? index.check(texts, wanted) : index.check_and_add(texts, wanted);
  };
  const auto scratch = corpus->new_scratch();
  FileSummary summary;
  std::vector<ReadDocument> documents;
  for (;;) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(const auto batch, corpus->next_batch());
    if (batch == nullptr) break;
    documents.clear();
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) {
      ReadDocument& read = documents.emplace_back();
      read.id = document.id;
      read.text = document.text;
    });
    const auto first = static_cast<DocId>(corpus->size());
    LEITONG_TRY(corpus->commit(*batch));
    LEITONG_TRY(check_kind(input, *corpus, first, documents));
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto number = static_cast<DocId>(first + i);
      if (documents[i].id.empty()) documents[i].id = corpus->place_name(number);
      details.take_fingerprint(documents[i]);
      if (reads_details) LEITONG_TRY(details.read(*corpus, number, *scratch, documents[i]));
    }
    LEITONG_ASSIGN(std::vector<Answer> answers, answers_about(documents, base, ask));
    for (std::size_t i = 0; i < answers.size(); ++i) count(documents[i], answers[i], summary);
    LEITONG_TRY(pass_on(first, documents, answers, unread, each));
    unread.clear();
    run.report("indexing", corpus->bytes_read(), corpus->total_bytes(), "bytes");
  }
  take_figures(*corpus, summary);
  if (reads_details) LEITONG_TRY(check_fields(*corpus, summary));
  LEITONG_TRY(finish_quarantine(quarantine.get(), *corpus));
  return summary;
}

Result<FileSummary> build(const Context& context, const std::filesystem::path& place, const InputFiles& input,
                          const FileDetails& file_details, const Settings& settings) {
  LEITONG_ASSIGN(IndexBuilder builder, IndexBuilder::begin(context, place, settings));
  LEITONG_ASSIGN(const unsigned bits,
                 bits_of_fingerprints(input, file_details, [&] { return builder.index().figures(); }));
  const RunContext run(context);
  const Details details(file_details, bits);
  LEITONG_ASSIGN(const auto corpus, Corpus::open(options_of(input, details), run));
  LEITONG_ASSIGN(const auto quarantine, open_quarantine(file_details, input, run.stop));
  FileSummary summary;
  for (std::vector<PartOfInput> parts;;) {
    LEITONG_TRY(read_parts(*corpus, run, parts));
    if (parts.empty()) break;
    LEITONG_TRY(on_threads(context, [&] { return parse_parts(*corpus, details, run, parts); }));
    for (const PartOfInput& part : parts) {
      const auto add = [&](std::span<const Text> texts) {
        return builder.index().add(texts, Look::near, {}, {});
      };
      LEITONG_ASSIGN(const std::vector<Answer> answers, answers_about(part.documents, {}, add));
      for (std::size_t i = 0; i < answers.size(); ++i) count(part.documents[i], answers[i], summary);
    }
    run.report("indexing", corpus->bytes_read(), corpus->total_bytes(), "bytes");
  }
  take_figures(*corpus, summary);
  LEITONG_TRY(check_fields(*corpus, summary));
  LEITONG_TRY(builder.finish());
  LEITONG_TRY(finish_quarantine(quarantine.get(), *corpus));
  LEITONG_TRY(builder.put_in_place());
  return summary;
}

}  // namespace leitong::online
