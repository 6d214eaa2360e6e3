#include "leitong/decontaminate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/json_string.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "corpus/corpus.hpp"
#include "dedup/stream_batches.hpp"
#include "io/output_file.hpp"
#include "io/table_files.hpp"
#include "job/benchmark.hpp"
#include "job/outputs.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

/// An item in a document.
struct LeakHit {
  DocId document = 0;
  std::uint32_t item = 0;
  float share = 0;
  bool equal = false;
  bool answered = false;  ///< an answer stands near, or none is known
  ByteRange place = {};
};

enum class LeakKind : std::uint8_t { leak, common, unanswered };

/// A batch of documents on its way; documents of its hits count from the first of the batch.
struct LeakBatch {
  std::unique_ptr<RecordBatch> batch;
  std::vector<LeakHit> hits;
};

class Decontamination {
 public:
  Decontamination(const DecontaminateJob& job, const RunContext& run) : job_(job), run_(run) {}

  Result<DecontaminateSummary> run() {
    LEITONG_ASSIGN(corpus_, Corpus::open(job_.input, run_));
    LEITONG_ASSIGN(
        OutputSet outputs,
        OutputSet::create({.kept = job_.kept, .quarantine = job_.quarantine, .force = job_.force}, run_));
    std::unique_ptr<OutputFile> rows;
    if (!job_.hits.empty()) {
      LEITONG_ASSIGN(rows, OutputFile::create(job_.hits, job_.force, run_.stop));
    }
    LEITONG_ASSIGN(benchmark_, read_benchmark(job_, run_));
    LEITONG_TRY(find_hits());
    LEITONG_TRY(outputs.check(*corpus_));
    count();
    if (rows) LEITONG_TRY(write_hits(*rows));
    LEITONG_TRY(outputs.write(*corpus_, [this](DocId document) { return !leaking_[document]; }));
    LEITONG_TRY(outputs.commit(rows.get()));
    return summarise();
  }

 private:
  struct Space {
    std::unique_ptr<ReadScratch> read;
    std::unique_ptr<ItemFinder::Workspace> finder;
    std::vector<FoundItem> found;
  };

  Result<void> find_hits() {
    return stream_batches<LeakBatch>(
        *corpus_, run_.stop,
        [this] {
          return Space{corpus_->new_scratch(), benchmark_.finder->new_workspace(), {}};
        },
        [this](LeakBatch& batch, Space& space) { look(batch, space); },
        [this](LeakBatch& batch) { return take(batch); });
  }

  void look(LeakBatch& batch, Space& space) const {
    DocId number = 0;
    corpus_->parse(*batch.batch, *space.read, [&](const DocumentText& document) {
      benchmark_.finder->find(document.text, *space.finder, space.found);
      for (const FoundItem& found : space.found)
        for (const std::uint32_t item : benchmark_.numbered[found.item]) {
          const Answers& answers = benchmark_.items[item].answers;
          batch.hits.push_back({number, item, found.share, found.equal,
                                answers.empty() || answers.stand_near(document.text, found.place),
                                found.place});
        }
      ++number;
    });
  }

  Result<void> take(LeakBatch& batch) {
    const auto first = static_cast<DocId>(corpus_->size());
    LEITONG_TRY(corpus_->commit(*batch.batch));
    std::ranges::sort(batch.hits, {}, [](const LeakHit& hit) { return std::pair(hit.document, hit.item); });
    for (LeakHit& hit : batch.hits) {
      hit.document += first;
      hits_.push_back(hit);
    }
    run_.report("looking for items", corpus_->bytes_read(), corpus_->total_bytes(), "bytes");
    return {};
  }

  [[nodiscard]] LeakKind kind_of(const LeakHit& hit) const {
    if (documents_of_[hit.item] > job_.settings.common) return LeakKind::common;
    return hit.answered ? LeakKind::leak : LeakKind::unanswered;
  }

  void count() {
    documents_of_.assign(benchmark_.items.size(), 0);
    for (const LeakHit& hit : hits_) ++documents_of_[hit.item];
    leaking_.assign(corpus_->size(), false);
    std::vector<bool> leaked(benchmark_.items.size());
    std::vector<DocId> last(benchmark_.files.size(), kNoDocument);  // document that was counted for a file
    for (const LeakHit& hit : hits_) {
      if (kind_of(hit) != LeakKind::leak) continue;
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
      file.doubtful += documents_of_[item] > 0 && !leaked[item];
    }
  }

  Result<void> write_hits(OutputFile& file) const {
    const auto scratch = corpus_->new_scratch();
    std::string row, id, text;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      const LeakHit& hit = hits_[i];
      if (i == 0 || hits_[i - 1].document != hit.document) {
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
    const LeakKind kind = kind_of(hit);
    fmt::format_to(std::back_inserter(row),
                   R"({{"id":{},"place":{},"benchmark":{},"item":{},"kind":"{}","match":"{}","share":{:.4g})",
                   json_string(id), json_string(corpus_->place_name(hit.document)),
                   json_string(benchmark_.files[item.file].path), json_string(item.id),
                   kind == LeakKind::leak ? "leak" : "doubt", hit.equal ? "equal" : "edited", hit.share);
    if (kind == LeakKind::common)
      fmt::format_to(std::back_inserter(row), R"(,"why":"{} documents hold it")", documents_of_[hit.item]);
    if (kind == LeakKind::unanswered) row += R"(,"why":"no answer stands near")";
    fmt::format_to(std::back_inserter(row),
                   R"(,"begin":{},"end":{},"begin_character":{},"end_character":{},"passage":{}}})"
                   "\n",
                   hit.place.begin, hit.place.end, begin, begin + count_characters(passage),
                   json_string(passage));
  }

  DecontaminateSummary summarise() {
    DecontaminateSummary summary;
    summary.documents = corpus_->size();
    summary.leaking = static_cast<std::uint64_t>(std::ranges::count(leaking_, true));
    summary.removed = job_.action == LeakAction::remove ? summary.leaking : 0;
    summary.hits = hits_.size();
    summary.leaks = leaks_;
    summary.quarantined = corpus_->quarantined();
    summary.first_quarantined = corpus_->first_quarantined();
    summary.truncated_inputs = corpus_->truncated_inputs() + benchmark_.truncated_inputs;
    summary.items_quarantined = benchmark_.quarantined;
    summary.first_item_quarantined = benchmark_.first_quarantined;
    summary.benchmarks = std::move(benchmark_.files);
    return summary;
  }

  const DecontaminateJob& job_;
  const RunContext& run_;
  std::unique_ptr<Corpus> corpus_;
  Benchmark benchmark_;
  std::vector<LeakHit> hits_;                // by document and item
  std::vector<std::uint64_t> documents_of_;  // of each item
  std::vector<bool> leaking_;                // of each document
  std::uint64_t leaks_ = 0;
};

Result<void> check_job(const DecontaminateJob& job) {
  LEITONG_TRY(check_settings(job));
  if (job.against.empty())
    return fail(ErrorCode::invalid_argument, "name the files of a benchmark, or several", "against");
  if (job.against_fields.empty())
    return fail(ErrorCode::invalid_argument, "name the field of the questions", "against_fields");
  if (job.settings.share && *job.settings.share <= 0)
    return fail(ErrorCode::invalid_argument, "a share of 0 would find every item everywhere", "share");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::invalid_argument, "there are no references here: items are named by `against`");
  if (table_form_of_name(job.hits))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: hits are written as JSONL; name the file accordingly", job.hits), "hits");
  const bool removes = job.action == LeakAction::remove;
  if (removes && job.kept.empty())
    return fail(ErrorCode::invalid_argument,
                "to remove documents means to write the others: name a file for the kept records", "kept");
  if (!removes && !job.kept.empty())
    return fail(ErrorCode::invalid_argument,
                "the kept records are those without leaks: the action has to be remove", "kept");
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
