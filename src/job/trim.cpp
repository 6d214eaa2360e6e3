// The public face of trimming (leitong/trim.hpp).
#include "leitong/trim.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json_string.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "corpus/corpus.hpp"
#include "io/compression.hpp"
#include "io/output_file.hpp"
#include "job/repeated_parts.hpp"
#include "job/separate_outputs.hpp"
#include "job/trim_restorable.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

/// The outputs, all opened before the work.
struct TrimFiles {
  std::unique_ptr<OutputFile> trimmed, spans, removed, quarantine, restorable;

  static Result<TrimFiles> create(const TrimOutputs& names, StopToken stop) {
    TrimFiles files;
    const auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
      if (name.empty()) return {};
      LEITONG_ASSIGN(file, OutputFile::create(name, names.force, stop));
      return {};
    };
    LEITONG_TRY(open(names.trimmed, files.trimmed));
    LEITONG_TRY(open(names.spans, files.spans));
    LEITONG_TRY(open(names.too_short, files.removed));
    LEITONG_TRY(open(names.quarantine, files.quarantine));
    LEITONG_TRY(open(names.restorable, files.restorable));
    return files;
  }
};

class Trimming {
 public:
  Trimming(const TrimJob& job, std::size_t least, RunContext& run, const Corpus& corpus, TrimFiles& files)
      : job_(job),
        least_(least),
        run_(run),
        corpus_(corpus),
        files_(files),
        parts_(job.settings, least, run) {}

  Result<void> find(Corpus& corpus) {
    LEITONG_TRY(parts_.read(corpus));
    if (files_.trimmed) LEITONG_TRY(corpus.check_cuttable());
    LEITONG_TRY(parts_.group(corpus));
    summary_.text_bytes = parts_.text_bytes();
    summary_.parts = parts_.groups().groups();
    return {};
  }

  /// The second pass, over the documents that have something equal, and the outputs.
  Result<void> write() {
    TrimmedDocuments::Describe describe;
    if (files_.spans || files_.removed)
      describe = [this](TrimmedDocument& document) { write_rows(document); };
    TrimmedDocuments trimmed(run_, corpus_, job_.settings, least_, parts_.groups(), files_.spans != nullptr,
                             std::move(describe));
    LEITONG_ASSIGN(const TrimmedDocument* next, trimmed.next());
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
      LEITONG_ASSIGN(next, trimmed.next());
      return Corpus::RecordCut{keep, cuts};
    };
    if (files_.trimmed)
      LEITONG_TRY(copy(cut));
    else
      for (DocId document = 0; document < corpus_.size(); ++document) LEITONG_TRY(cut(document));
    if (files_.quarantine)
      LEITONG_TRY(
          write_quarantine(corpus_, [&](std::string_view block) { return files_.quarantine->write(block); }));
    return {};
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
  [[nodiscard]] std::string name_of(DocId document, const std::string& id) const {
    return id.empty() ? corpus_.place_name(document) : id;
  }

  void write_rows(TrimmedDocument& document) const {
    if (files_.spans) {
      std::size_t characters = 0, counted = 0;  // in the first `counted` bytes
      for (std::size_t i = 0; i < document.cuts.size(); ++i)
        append_span(document, i, characters, counted, document.spans);
    }
    if (document.removed && files_.removed)
      document.removed_row = fmt::format("{{\"id\":{},\"place\":{},\"units\":{},\"units_left\":{}}}\n",
                                         json_string(name_of(document.document, document.id)),
                                         json_string(corpus_.place_name(document.document)), document.units,
                                         document.units_left);
  }

  void append_span(const TrimmedDocument& document, std::size_t number, std::size_t& characters,
                   std::size_t& counted, std::string& out) const {
    const Cut& cut = document.cuts[number];
    const std::string_view text = document.text;
    const std::size_t begin = characters + count_characters(text.substr(counted, cut.bytes.begin - counted));
    const std::string_view lost = text.substr(cut.bytes.begin, cut.bytes.size());
    characters = begin + count_characters(lost);
    counted = cut.bytes.end;
    fmt::format_to(
        std::back_inserter(out),
        "{{\"id\":{},\"place\":{},\"begin\":{},\"end\":{},\"begin_character\":{},\"end_character\":{},"
        "\"units\":{},\"documents\":{}",
        json_string(name_of(document.document, document.id)),
        json_string(corpus_.place_name(document.document)), cut.bytes.begin, cut.bytes.end, begin, characters,
        cut.units, cut.documents);
    if (cut.kept) {
      const TrimmedDocument::KeptPart& kept = document.kept_parts[number];
      fmt::format_to(std::back_inserter(out),
                     ",\"kept_id\":{},\"kept_place\":{},\"kept_begin\":{},\"kept_end\":{}",
                     json_string(name_of(cut.kept->document, kept.id)),
                     json_string(corpus_.place_name(cut.kept->document)), kept.bytes.begin, kept.bytes.end);
    }
    if (job_.outputs.with_text) {
      out += ",\"text\":";
      append_json_string(lost, out);
    }
    out += "}\n";
  }

  Result<void> copy(const std::function<Result<Corpus::RecordCut>(DocId)>& cut) const {
    std::uint64_t written = 0;
    const auto write = [&](std::string_view bytes) {
      written += bytes.size();
      return files_.trimmed->write(bytes);
    };
    if (!files_.restorable) return corpus_.copy_cut(cut, write, {});
    TrimmedPlaces places(run_.work);
    const auto cut_or_remove = [&](DocId document) -> Result<Corpus::RecordCut> {
      Result<Corpus::RecordCut> record = cut(document);
      if (record && !record->keep) LEITONG_TRY(places.removed(document));
      return record;
    };
    LEITONG_TRY(corpus_.copy_cut(
        cut_or_remove, write, [&](DocId document, const KeptPlace& place, std::span<const TextEdit> edits) {
          return places.wrote(document, place, edits);
        }));
    return write_trim_restorable(corpus_, places, written, *files_.restorable, run_);
  }

  Result<void> take(const TrimmedDocument& document) {
    summary_.cuts += document.cuts.size();
    summary_.removed += document.removed ? 1 : 0;
    summary_.changed += !document.removed && !document.cuts.empty() ? 1 : 0;
    summary_.cut_bytes += document.cut_bytes;
    if (files_.spans) LEITONG_TRY(files_.spans->write(document.spans));
    if (files_.removed) LEITONG_TRY(files_.removed->write(document.removed_row));
    return {};
  }

  const TrimJob& job_;
  std::size_t least_;
  RunContext& run_;
  const Corpus& corpus_;
  TrimFiles& files_;
  RepeatedParts parts_;
  TrimSummary summary_;
};

Result<TrimSummary> trim(const Context& context, const TrimJob& job) {
  const auto started = std::chrono::steady_clock::now();
  LEITONG_TRY(check_settings(job));
  LEITONG_ASSIGN(const std::size_t least, least_units(job.settings));
  if (compression_of_name(job.outputs.restorable) != Compression::none)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the restorable file is packed already and can't be compressed; name it {}",
                            job.outputs.restorable, without_compression_ending(job.outputs.restorable)),
                "restorable");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::invalid_argument, "trimming knows no references", "references");
  const TrimOutputs& names = job.outputs;
  LEITONG_TRY(check_separate({{"the trimmed records", names.trimmed},
                              {"the spans", names.spans},
                              {"the removed documents", names.too_short},
                              {"the quarantine", names.quarantine},
                              {"the restorable file", names.restorable}},
                             job.input.paths));
  RunContext run(context);
  LEITONG_TRY(check_trim_memory(run));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(job.input, run));
  LEITONG_ASSIGN(TrimFiles files, TrimFiles::create(names, run.stop));
  Trimming trimming(job, least, run, *corpus, files);
  LEITONG_TRY(trimming.find(*corpus));
  LEITONG_TRY(trimming.write());
  TrimSummary summary = trimming.summary();
  Staged* const made[] = {files.trimmed.get(), files.spans.get(), files.removed.get(), files.quarantine.get(),
                          files.restorable.get()};
  LEITONG_TRY(commit_all(made, run.stop));
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return summary;
}

}  // namespace

Result<TrimSummary> trim_files(const Context& context, const TrimJob& job) {
  return on_threads(context, [&] { return trim(context, job); });
}

}  // namespace leitong
