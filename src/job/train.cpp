#include "job/train.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "dedup/scan.hpp"
#include "io/output_file.hpp"
#include "scheme/resources.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kUsualMemory = 1ull << 30;

/// The words of a text in their order, each as two words of the sketch: the id, and whether it is a term.
class WordSequences final : public Sketcher {
 public:
  explicit WordSequences(const WordList& words) : words_(words) {}

  struct Space final : Scratch {
    WordSpace cutting;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    words_.for_each(document.text, static_cast<Space&>(scratch).cutting,
                    [&](std::string_view, std::uint64_t id, bool is_term) {
                      words.push_back(id);
                      words.push_back(is_term ? 1 : 0);
                    });
  }

 private:
  const WordList& words_;
};

Result<TrainSummary> train(const TrainOptions& options, const Context& context) {
  const std::uint64_t memory = context.settings().memory == 0 ? kUsualMemory : context.settings().memory;
  if (memory < ModelTrainer::kLeastMemory)
    return fail(ErrorCode::limit,
                "the memory budget is too small; the smallest that can work is " +
                    std::to_string(ModelTrainer::kLeastMemory >> 20) + "M",
                "memory");
  RunContext run(context, 0);  // the memory for reading is not part of the trainer's
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file,
                 OutputFile::create(options.model, options.force, run.stop));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(options.input, run));
  LEITONG_ASSIGN(const auto words, resources_of(context).words());
  ModelTrainer trainer(memory, context);
  DocumentTable table;
  const WordSequences sequences(*words);
  std::vector<TrainingWord> sequence;
  const auto learn = [&](DocId document, std::span<const std::uint64_t> sketch) -> Result<void> {
    sequence.clear();
    for (std::size_t i = 0; i < sketch.size(); i += 2) sequence.push_back({sketch[i], sketch[i + 1] != 0});
    trainer.add(table.content[document], sequence);
    return {};
  };
  Scan reading{
      .source = *corpus, .sketcher = sequences, .take = learn, .table = table, .sample = nullptr, .run = run};
  LEITONG_TRY(scan(reading));
  run.report("learning", 0, 0, "words");
  TrainSummary summary;
  LEITONG_ASSIGN(summary.figures, trainer.write([&](std::string_view bytes) { return file->write(bytes); }));
  LEITONG_TRY(file->commit());
  summary.copies = reading.copies.size();
  summary.quarantined = corpus->quarantined();
  summary.truncated_inputs = corpus->truncated_inputs();
  summary.first_quarantined = corpus->first_quarantined();
  return summary;
}

}  // namespace

Result<TrainSummary> run_train(const TrainOptions& options, const Context& context) {
  return on_threads(context, [&] { return train(options, context); });
}

}  // namespace leitong
