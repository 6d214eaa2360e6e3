#include "job/train.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "dedup/methods/word_tools.hpp"
#include "dedup/scan.hpp"
#include "io/output_file.hpp"

namespace leitong {
namespace {

/// The scan's way of bringing documents: its sketches are word sequences, and adding them is learning.
class Learner final : public Method {
 public:
  Learner(std::shared_ptr<const WordList> words, const DocumentTable& table, ModelTrainer& trainer)
      : words_(std::move(words)), table_(table), trainer_(trainer) {}

  struct Space final : Scratch {
    WordSpace cutting;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Two words of a sketch for each word of the text: its id, and whether it is a term.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    words_->for_each(document.text, static_cast<Space&>(scratch).cutting,
                     [&](std::string_view, std::uint64_t id, bool is_term) {
                       words.push_back(id);
                       words.push_back(is_term ? 1 : 0);
                     });
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    sequence_.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) sequence_.push_back({words[i], words[i + 1] != 0});
    trainer_.add(table_.content[document], sequence_);
    return {};
  }

  Result<void> find(CandidateSink&) override { return {}; }
  [[nodiscard]] MethodFigures figures() const override { return {}; }

 private:
  std::shared_ptr<const WordList> words_;
  const DocumentTable& table_;
  ModelTrainer& trainer_;
  std::vector<TrainingWord> sequence_;
};

Result<TrainSummary> train(const TrainOptions& options, const ProgressFn& progress,
                           const std::atomic<bool>& stop) {
  if (options.memory < ModelTrainer::kLeastMemory)
    return fail(ErrorCode::limit, "--memory is too small; the smallest that can work is " +
                                      std::to_string(ModelTrainer::kLeastMemory >> 20) + "M");
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file, OutputFile::create(options.model, options.force));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(options.input));
  LEITONG_ASSIGN(auto words, open_words());
  const Context context({.work_folder = options.input.work_dir, .progress = progress});
  RunContext run(context);
  run.stop = StopToken(stop);
  ModelTrainer trainer(options.memory, run.work);
  DocumentTable table;
  Learner learner(std::move(words), table, trainer);
  Scan reading{.source = *corpus, .method = learner, .table = table, .sample = nullptr, .run = run};
  LEITONG_TRY(scan(reading));
  if (progress) progress({"learning", 0, 0, "words"});
  TrainSummary summary;
  LEITONG_ASSIGN(summary.figures, trainer.write([&](std::string_view bytes) { return file->write(bytes); }));
  LEITONG_TRY(file->commit());
  summary.copies = reading.copies.size();
  summary.quarantined = corpus->quarantined();
  summary.first_quarantined = corpus->first_quarantined();
  return summary;
}

}  // namespace

Result<TrainSummary> run_train(const TrainOptions& options, const ProgressFn& progress,
                               const std::atomic<bool>& stop) {
  return on_threads(options.threads, [&] { return train(options, progress, stop); });
}

}  // namespace leitong
