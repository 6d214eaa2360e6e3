// The public face of trimming (leitong/trim.hpp).
#include "leitong/trim.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "io/artifact_folder.hpp"
#include "io/compression.hpp"
#include "io/output_file.hpp"
#include "io/table_files.hpp"
#include "job/base_text.hpp"
#include "job/outputs.hpp"
#include "job/repeated_parts.hpp"
#include "job/resume.hpp"
#include "job/row_file.hpp"
#include "job/separate_outputs.hpp"
#include "job/span_rows.hpp"
#include "job/template_cuts.hpp"
#include "job/trim_report.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/json.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

/// The outputs, all opened before the work.
struct TrimFiles {
  OutputSet records;  // trimmed records, quarantine, report and what restores the input
  std::unique_ptr<OutputFile> spans, removed;

  static Result<TrimFiles> create(const TrimOutputs& names, const RunContext& run) {
    TrimFiles files;
    const auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
      if (name.empty()) return {};
      LEITONG_ASSIGN(file, OutputFile::create(name, names.force, run.stop));
      return {};
    };
    LEITONG_ASSIGN(files.records, OutputSet::create({.kept = names.trimmed,
                                                     .quarantine = names.quarantine,
                                                     .restorable = names.restorable,
                                                     .report = names.report,
                                                     .force = names.force},
                                                    run));
    LEITONG_TRY(open(names.spans, files.spans));
    LEITONG_TRY(open(names.too_short, files.removed));
    return files;
  }
};

class Trimming {
 public:
  Trimming(const TrimJob& job, std::size_t least, const BaseParts& base, const ArtifactFolder* stages,
           RunContext& run, const Corpus& corpus, TrimFiles& files)
      : job_(job),
        least_(least),
        stages_(stages),
        run_(run),
        corpus_(corpus),
        files_(files),
        parts_(job.settings, least, base, stages, run) {}

  Result<void> find(Corpus& corpus) {
    if (job_.settings.part == TextPart::template_text) {
      LEITONG_ASSIGN(templates_, find_templates(corpus, stages_, run_));
      LEITONG_TRY(files_.records.check_cut(corpus));
      summary_.text_bytes = templates_->text_bytes;
      return {};
    }
    LEITONG_TRY(parts_.read(corpus));
    LEITONG_TRY(files_.records.check_cut(corpus));
    LEITONG_TRY(parts_.group(corpus));
    summary_.text_bytes = parts_.text_bytes();
    summary_.parts = parts_.groups().groups();
    return {};
  }

  /// The second pass, over the documents that have something equal, and the outputs.
  Result<void> write() {
    CutDocuments::Describe describe;
    if (files_.spans) {
      LEITONG_ASSIGN(spans_, SpanRows::open(*files_.spans, job_.outputs, job_.settings.kept_part, corpus_));
    }
    if (spans_ || files_.removed) describe = [this](TrimmedDocument& document) { write_rows(document); };
    if (files_.records.report() != nullptr) reporter_.emplace();
    const auto places = files_.spans                         ? CutDocuments::Places::parts
                        : files_.records.report() != nullptr ? CutDocuments::Places::documents
                                                             : CutDocuments::Places::none;
    const std::unique_ptr<CutDocuments> trimmed = cut_documents(places, std::move(describe));
    LEITONG_ASSIGN(const TrimmedDocument* next, trimmed->next());
    std::vector<ByteRange> cuts;
    const auto cut = [&](DocId document) -> Result<Corpus::RecordCut> {
      if (document % 4096 == 0) {
        LEITONG_TRY(run_.stop.check());
        run_.report("writing", document, corpus_.size(), "documents");
      }
      if (next == nullptr || next->document != document) return Corpus::RecordCut{};
      LEITONG_TRY(take(*next));
      cuts.clear();
      for (const Cut& each : next->cuts) cuts.push_back(each.bytes);
      const bool keep = !next->removed;
      LEITONG_ASSIGN(next, trimmed->next());
      return Corpus::RecordCut{keep, cuts};
    };
    LEITONG_TRY(files_.records.write_cut(corpus_, cut));
    if (templates_) summary_.parts = static_cast<const TemplateCuts&>(*trimmed).templates();
    return spans_ ? spans_->finish() : Result<void>{};
  }

  /// The page, with the figures of the whole run.
  Result<void> write_report(const TrimSummary& summary) {
    return reporter_ ? reporter_->write(job_, least_, summary, corpus_, *files_.records.report())
                     : Result<void>{};
  }

  [[nodiscard]] TrimSummary summary() const {
    TrimSummary summary = summary_;
    summary.documents = corpus_.size();
    summary.kept = summary.documents - summary.removed;
    summary.quarantined = corpus_.quarantined();
    summary.first_quarantined = corpus_.first_quarantined();
    summary.truncated_inputs = corpus_.truncated_inputs();
    return summary;
  }

 private:
  std::unique_ptr<CutDocuments> cut_documents(CutDocuments::Places places, CutDocuments::Describe describe) {
    const TrimSettings& settings = job_.settings;
    if (templates_)
      return std::make_unique<TemplateCuts>(run_, corpus_, settings, *templates_->marks, places,
                                            std::move(describe));
    return std::make_unique<TrimmedDocuments>(run_, corpus_, settings, least_, parts_.groups(), places,
                                              std::move(describe));
  }

  void write_rows(TrimmedDocument& document) const {
    if (spans_) spans_->describe(document);
    if (document.removed && files_.removed)
      document.removed_row = fmt::format("{{\"id\":{},\"place\":{},\"units\":{},\"units_left\":{}}}\n",
                                         json_string(id_or_place(corpus_, document.document, document.id)),
                                         json_string(corpus_.place_name(document.document)), document.units,
                                         document.units_left);
  }

  Result<void> take(const TrimmedDocument& document) {
    summary_.cuts += document.cuts.size();
    summary_.removed += document.removed ? 1 : 0;
    summary_.changed += !document.removed && !document.cuts.empty() ? 1 : 0;
    summary_.cut_bytes += document.cut_bytes;
    if (reporter_) reporter_->add(document, corpus_);
    if (spans_) LEITONG_TRY(spans_->write(document));
    if (files_.removed) LEITONG_TRY(files_.removed->write(document.removed_row));
    return {};
  }

  const TrimJob& job_;
  std::size_t least_;
  const ArtifactFolder* stages_;
  RunContext& run_;
  const Corpus& corpus_;
  TrimFiles& files_;
  RepeatedParts parts_;
  std::optional<PairResult> templates_;
  std::optional<SpanRows> spans_;
  std::optional<TrimReporter> reporter_;
  TrimSummary summary_;
};

/// The parts of the texts that do not count.
Result<BaseParts> read_base_parts(const Context& context, const TrimJob& job, std::size_t least) {
  BaseParts base(job.settings.part, least);
  LEITONG_TRY(read_base_texts(context, job.input, job.base, [&](std::string_view text) { base.add(text); }));
  base.finish();
  return base;
}

Result<TrimSummary> trim(const Context& context, const TrimJob& job, std::size_t least,
                         const BaseParts& base) {
  const auto started = std::chrono::steady_clock::now();
  RunContext run(context);
  LEITONG_TRY(check_trim_memory(run));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(job.input, run));
  LEITONG_ASSIGN(TrimFiles files, TrimFiles::create(job.outputs, run));
  std::optional<ArtifactFolder> stages;
  if (!job.resume_folder.empty()) {
    LEITONG_ASSIGN(const std::string about, about_run(job, base.hash(), run.memory.limit(), *corpus));
    LEITONG_ASSIGN(stages, ArtifactFolder::open(job.resume_folder, about));
  }
  Trimming trimming(job, least, base, stages ? &*stages : nullptr, run, *corpus, files);
  LEITONG_TRY(trimming.find(*corpus));
  LEITONG_TRY(trimming.write());
  TrimSummary summary = trimming.summary();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  summary.seconds = seconds();
  LEITONG_TRY(trimming.write_report(summary));
  LEITONG_TRY(files.records.commit({files.spans.get(), files.removed.get()}));
  if (stages) LEITONG_TRY(stages->clear());
  summary.seconds = seconds();
  return summary;
}

Result<void> check_job(const TrimJob& job) {
  LEITONG_TRY(check_settings(job));
  if (job.settings.part == TextPart::template_text && !job.base.empty())
    return fail(ErrorCode::invalid_argument, "a base is text that is never cut; templates have none", "base");
  const TrimOutputs& names = job.outputs;
  if (compression_of_name(names.restorable) != Compression::none)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the restorable file is packed already and can't be compressed; name it {}",
                            names.restorable, without_compression_ending(names.restorable)),
                "restorable");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::invalid_argument, "trimming knows no references", "references");
  if (table_form_of_name(names.too_short))
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: removed documents are listed as JSONL; name the file accordingly", names.too_short),
        "too_short");
  std::vector<std::string> inputs = job.input.paths;
  inputs.insert(inputs.end(), job.base.begin(), job.base.end());
  LEITONG_TRY(check_separate({{"the trimmed records", names.trimmed},
                              {"the spans", names.spans},
                              {"the removed documents", names.too_short},
                              {"the quarantine", names.quarantine},
                              {"the restorable file", names.restorable},
                              {"the report", names.report}},
                             inputs));
  return check_row_files({names.spans});
}

}  // namespace

Result<TrimSummary> trim_files(const Context& context, const TrimJob& job) {
  LEITONG_TRY(check_job(job));
  LEITONG_ASSIGN(const std::size_t least, least_units(job.settings));
  LEITONG_ASSIGN(const BaseParts base, read_base_parts(context, job, least));
  return on_threads(context, [&] { return trim(context, job, least, base); });
}

}  // namespace leitong
