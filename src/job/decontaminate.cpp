#include "leitong/decontaminate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/table_files.hpp"
#include "job/leak_report.hpp"
#include "job/leak_search.hpp"
#include "job/outputs.hpp"
#include "leitong/json.hpp"
#include "leitong/settings.hpp"
#include "leitong/utf8.hpp"
#include "text/text_parts.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

/// Widens the passages to the sentences in which they begin and end, as ascending ranges that are apart.
/// Returns true if no letter of the text is left.
bool widen_to_sentences(std::string_view text, std::vector<ByteRange>& passages,
                        std::vector<ByteRange>& cuts) {
  std::vector<ByteRange> sentences;
  split_parts(text, TextPart::sentence, sentences);
  std::ranges::sort(passages, {}, &ByteRange::begin);
  cuts.clear();
  std::string left;
  std::size_t at = 0;
  for (ByteRange passage : passages) {
    for (const ByteRange& sentence : sentences) {
      if (sentence.begin <= passage.begin && passage.begin < sentence.end) passage.begin = sentence.begin;
      if (sentence.begin < passage.end && passage.end <= sentence.end) passage.end = sentence.end;
    }
    if (!cuts.empty() && passage.begin <= cuts.back().end) {
      cuts.back().end = std::max(cuts.back().end, passage.end);
    } else {
      left += text.substr(at, passage.begin - at);
      cuts.push_back(passage);
    }
    at = cuts.back().end;
  }
  left += text.substr(at);
  PodVector<Unit> units;
  to_units(left, units);
  return units.empty();
}

class Decontamination {
 public:
  Decontamination(const DecontaminateJob& job, const RunContext& run)
      : job_(job), run_(run), benchmark_(job.settings), search_(benchmark_, job.settings, run) {}

  Result<DecontaminateSummary> run() {
    LEITONG_ASSIGN(corpus_, Corpus::open(job_.input, run_));
    LEITONG_ASSIGN(
        OutputSet outputs,
        OutputSet::create(
            {.kept = job_.kept, .quarantine = job_.quarantine, .report = job_.report, .force = job_.force},
            run_));
    std::unique_ptr<OutputFile> rows;
    if (!job_.hits.empty()) {
      LEITONG_ASSIGN(rows, OutputFile::create(job_.hits, job_.force, run_.stop));
    }
    LEITONG_ASSIGN(benchmark_, read_benchmark(job_, run_));
    LEITONG_TRY(search_.find(*corpus_));
    const bool cuts = job_.action == LeakAction::cut;
    LEITONG_TRY(cuts ? outputs.check_cut(*corpus_) : outputs.check(*corpus_));
    count();
    if (rows) LEITONG_TRY(write_hits(*rows));
    if (cuts)
      LEITONG_TRY(write_cut(outputs));
    else
      LEITONG_TRY(outputs.write(*corpus_, [this](DocId document) { return !leaking_[document]; }));
    const DecontaminateSummary summary = summarise();
    if (outputs.report() != nullptr) {
      LEITONG_TRY(write_leak_report(job_, summary, *corpus_, benchmark_, search_, run_, *outputs.report()));
    }
    LEITONG_TRY(outputs.commit({rows.get()}));
    return summary;
  }

 private:
  void count() {
    leaking_.assign(corpus_->size(), false);
    std::vector<bool> leaked(benchmark_.items.size());
    std::vector<DocId> last(benchmark_.files.size(), kNoDocument);  // document that was counted for a file
    for (const LeakHit& hit : search_.hits()) {
      if (!search_.is_leak(hit)) continue;
      ++leaks_;
      leaking_[hit.document] = true;
      leaked[hit.item] = true;
      const std::uint32_t file = benchmark_.items[hit.item].file;
      benchmark_.files[file].documents += last[file] != hit.document;
      last[file] = hit.document;
    }
    for (std::size_t item = 0; item < leaked.size(); ++item) {
      BenchmarkFigures& file = benchmark_.files[benchmark_.items[item].file];
      file.leaked += leaked[item];
      file.doubtful += search_.documents_of(static_cast<std::uint32_t>(item)) > 0 && !leaked[item];
    }
  }

  Result<void> write_hits(OutputFile& file) const {
    const auto scratch = corpus_->new_scratch();
    std::string row, id, text;
    const std::vector<LeakHit>& hits = search_.hits();
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const LeakHit& hit = hits[i];
      if (i == 0 || hits[i - 1].document != hit.document) {
        LEITONG_TRY(run_.stop.check());
        LEITONG_ASSIGN(const DocumentText document, corpus_->read(hit.document, *scratch));
        text = document.text;
        id = document.id.empty() ? corpus_->place_name(hit.document) : std::string(document.id);
      }
      row.clear();
      append_row(hit, id, text, row);
      LEITONG_TRY(file.write(row));
    }
    return {};
  }

  void append_row(const LeakHit& hit, std::string_view id, std::string_view text, std::string& row) const {
    const BenchmarkItem& item = benchmark_.items[hit.item];
    const std::string_view passage = text.substr(hit.place.begin, hit.place.end - hit.place.begin);
    const std::size_t begin = count_characters(text.substr(0, hit.place.begin));
    const std::string why = search_.why_doubtful(hit);
    fmt::format_to(std::back_inserter(row),
                   R"({{"id":{},"place":{},"benchmark":{},"item":{},"kind":"{}","match":"{}","share":{:.4g})",
                   json_string(id), json_string(corpus_->place_name(hit.document)),
                   json_string(benchmark_.files[item.file].path), json_string(item.id),
                   why.empty() ? "leak" : "doubt", hit.equal ? "equal" : "edited", hit.share);
    if (!why.empty()) fmt::format_to(std::back_inserter(row), R"(,"why":{})", json_string(why));
    fmt::format_to(std::back_inserter(row),
                   R"(,"begin":{},"end":{},"begin_character":{},"end_character":{},"passage":{}}})"
                   "\n",
                   hit.place.begin, hit.place.end, begin, begin + count_characters(passage),
                   json_string(passage));
  }

  /// Writes the documents without the sentences that hold leaks.
  Result<void> write_cut(OutputSet& outputs) {
    const auto scratch = corpus_->new_scratch();
    const std::vector<LeakHit>& hits = search_.hits();
    std::size_t next = 0;
    std::vector<ByteRange> passages, cuts;
    return outputs.write_cut(*corpus_, [&](DocId document) -> Result<Corpus::RecordCut> {
      passages.clear();
      for (; next < hits.size() && hits[next].document == document; ++next)
        if (search_.is_leak(hits[next])) passages.push_back(hits[next].place);
      if (passages.empty()) return Corpus::RecordCut{};
      LEITONG_ASSIGN(const DocumentText read, corpus_->read(document, *scratch));
      const bool empty = widen_to_sentences(read.text, passages, cuts);
      removed_ += empty ? 1 : 0;
      return Corpus::RecordCut{!empty, cuts};
    });
  }

  DecontaminateSummary summarise() {
    DecontaminateSummary summary;
    summary.documents = corpus_->size();
    summary.leaking = static_cast<std::uint64_t>(std::ranges::count(leaking_, true));
    summary.removed = job_.action == LeakAction::remove ? summary.leaking : removed_;
    summary.cut = job_.action == LeakAction::cut ? summary.leaking - removed_ : 0;
    summary.hits = search_.hits().size();
    summary.leaks = leaks_;
    summary.quarantined = corpus_->quarantined();
    summary.first_quarantined = corpus_->first_quarantined();
    summary.truncated_inputs = corpus_->truncated_inputs() + benchmark_.truncated_inputs;
    summary.items_quarantined = benchmark_.quarantined;
    summary.first_item_quarantined = benchmark_.first_quarantined;
    summary.benchmarks = benchmark_.files;
    return summary;
  }

  const DecontaminateJob& job_;
  const RunContext& run_;
  std::unique_ptr<Corpus> corpus_;
  Benchmark benchmark_;
  LeakSearch search_;
  std::vector<bool> leaking_;  // of each document
  std::uint64_t leaks_ = 0;
  std::uint64_t removed_ = 0;  // of which nothing was left
};

Result<void> check_job(const DecontaminateJob& job) {
  LEITONG_TRY(check_settings(job));
  LEITONG_TRY(check_leak_settings(job.settings));
  if (job.against.empty())
    return fail(ErrorCode::invalid_argument, "name the files of a benchmark, or several", "against");
  if (job.against_fields.empty())
    return fail(ErrorCode::invalid_argument, "name the field of the questions", "against_fields");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::invalid_argument, "there are no references here: items are named by `against`");
  if (table_form_of_name(job.hits))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: hits are written as JSONL; name the file accordingly", job.hits), "hits");
  const bool writes = job.action != LeakAction::list;
  if (writes && job.kept.empty())
    return fail(ErrorCode::invalid_argument,
                "to remove leaks means to write what is without them: name a file for the kept records",
                "kept");
  if (!writes && !job.kept.empty())
    return fail(ErrorCode::invalid_argument,
                "the kept records are without leaks: the action has to be remove or cut", "kept");
  return {};
}

}  // namespace

Result<DecontaminateSummary> decontaminate_files(const Context& context, const DecontaminateJob& job) {
  LEITONG_TRY(check_job(job));
  return on_threads(context, [&] {
    const RunContext run(context);
    return Decontamination(job, run).run();
  });
}

}  // namespace leitong
