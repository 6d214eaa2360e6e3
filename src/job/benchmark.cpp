#include "job/benchmark.hpp"

#include <fmt/core.h>

#include <span>
#include <utility>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "dedup/stream_batches.hpp"

namespace leitong {
namespace {

/// A batch of items on its way.
struct ItemBatch {
  std::unique_ptr<RecordBatch> batch;
  std::vector<std::string> ids, texts;
};

class BenchmarkReader {
 public:
  BenchmarkReader(const DecontaminateJob& job, const RunContext& run)
      : job_(job), run_(run), benchmark_(job.settings) {}

  Result<Benchmark> read() {
    InputOptions input;
    input.paths = job_.against;
    input.id_field = job_.input.id_field;
    input.text_fields = {job_.against_fields.front()};
    input.extra_fields.assign(job_.against_fields.begin() + 1, job_.against_fields.end());
    input.max_record_bytes = job_.input.max_record_bytes;
    input.max_window_bytes = job_.input.max_window_bytes;
    input.strict = job_.input.strict;
    LEITONG_ASSIGN(corpus_, Corpus::open(std::move(input), run_));
    scratch_ = corpus_->new_scratch();
    const auto parse = [this](ItemBatch& item, std::unique_ptr<ReadScratch>& scratch) {
      corpus_->parse(*item.batch, *scratch, [&](const DocumentText& document) {
        item.ids.emplace_back(document.id);
        item.texts.emplace_back(document.text);
      });
    };
    LEITONG_TRY(stream_batches<ItemBatch>(
        *corpus_, run_.stop, [this] { return corpus_->new_scratch(); }, parse,
        [this](ItemBatch& item) { return take(item); }));
    if (benchmark_.items.empty() && corpus_->quarantined() > 0)
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("no item of the benchmark could be read, the first: {}", corpus_->first_quarantined()),
          "against");
    LEITONG_TRY(benchmark_.build());
    benchmark_.quarantined = corpus_->quarantined();
    benchmark_.truncated_inputs = corpus_->truncated_inputs();
    benchmark_.first_quarantined = corpus_->first_quarantined();
    return std::move(benchmark_);
  }

 private:
  Result<void> take(ItemBatch& batch) {
    auto number = static_cast<DocId>(corpus_->size());
    LEITONG_TRY(corpus_->commit(*batch.batch));
    for (std::size_t i = 0; i < batch.ids.size(); ++i, ++number) {
      const std::string_view path = corpus_->source_path(number);
      if (benchmark_.files.empty() || benchmark_.files.back().path != path)
        benchmark_.files.push_back({.path = std::string(path)});
      BenchmarkFigures& file = benchmark_.files.back();
      ++file.items;
      BenchmarkItem item{.id = batch.ids[i].empty() ? corpus_->place_name(number) : std::move(batch.ids[i]),
                         .file = static_cast<std::uint32_t>(benchmark_.files.size() - 1)};
      for (const std::string& field : std::span(job_.against_fields).subspan(1)) {
        LEITONG_ASSIGN(const std::string answer, corpus_->field(number, field, *scratch_));
        item.answers.add(answer);
        if (!job_.report.empty() && !answer.empty()) item.answer_texts.push_back(answer);
      }
      if (!job_.report.empty()) item.text = batch.texts[i];
      if (!benchmark_.add(std::move(item), batch.texts[i])) ++file.too_short;
    }
    run_.report("reading the benchmark", corpus_->bytes_read(), corpus_->total_bytes(), "bytes");
    return {};
  }

  const DecontaminateJob& job_;
  const RunContext& run_;
  std::unique_ptr<Corpus> corpus_;
  std::unique_ptr<ReadScratch> scratch_;
  Benchmark benchmark_;
};

}  // namespace

Benchmark::Benchmark(const LeakSettings& settings)
    : finder(settings.ngram > 0 ? make_ngram_finder(static_cast<std::uint32_t>(settings.ngram))
                                : make_share_finder(settings.share)) {}

bool Benchmark::add(BenchmarkItem item, std::string_view text) {
  const auto number = static_cast<std::uint32_t>(items.size());
  items.push_back(std::move(item));
  const std::optional<std::uint32_t> found = finder->add(text);
  if (!found) return false;
  if (*found == numbered.size()) numbered.emplace_back();
  numbered[*found].push_back(number);
  return true;
}

Result<void> Benchmark::build() {
  if (numbered.empty())
    return fail(ErrorCode::invalid_argument, "the benchmark has no item that is long enough to be looked for",
                "against");
  finder->build();
  return {};
}

Result<Benchmark> read_benchmark(const DecontaminateJob& job, const RunContext& run) {
  return BenchmarkReader(job, run).read();
}

}  // namespace leitong
