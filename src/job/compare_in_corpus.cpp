#include "job/compare_in_corpus.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/try.hpp"
#include "dedup/find_pairs.hpp"
#include "job/index_reference.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

// A source of the two texts, followed by the documents of a corpus.
class PairAndCorpus final : public DocumentSource {
 public:
  PairAndCorpus(std::string_view a, std::string_view b, Corpus& corpus) : texts_{a, b}, corpus_(corpus) {}

  [[nodiscard]] std::unique_ptr<ReadScratch> new_scratch() const override { return corpus_.new_scratch(); }
  Result<std::unique_ptr<RecordBatch>> next_batch() override {
    if (!std::exchange(begun_, true)) return std::unique_ptr<RecordBatch>(std::make_unique<TwoTexts>());
    return corpus_.next_batch();
  }
  void parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const override {
    if (dynamic_cast<TwoTexts*>(&batch) == nullptr) return corpus_.parse(batch, scratch, each);
    for (const std::string_view text : texts_) each({{}, text});
  }
  Result<void> commit(RecordBatch& batch) override {
    if (dynamic_cast<TwoTexts*>(&batch) == nullptr) return corpus_.commit(batch);
    own_ = texts_.size();
    return {};
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return own_ + corpus_.size(); }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return corpus_.bytes_read(); }
  [[nodiscard]] std::uint64_t total_bytes() const noexcept override { return corpus_.total_bytes(); }
  Result<DocumentText> read(DocId document, ReadScratch& scratch) const override {
    if (document < texts_.size()) return DocumentText{{}, texts_[document]};
    return corpus_.read(document - static_cast<DocId>(texts_.size()), scratch);
  }

 private:
  struct TwoTexts final : RecordBatch {};
  std::array<std::string_view, 2> texts_;
  Corpus& corpus_;
  std::uint64_t own_ = 0;
  bool begun_ = false;
};

Result<InCorpus> decide(std::string_view a, std::string_view b, const CompareResult& compared,
                        const InputOptions& input, const Context& context, const Folding& folding) {
  RunContext run(context);
  InputOptions opened = input;
  LEITONG_TRY(read_indexes_of_corpus(opened, context));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(std::move(opened), run));
  PairAndCorpus source(a, b, *corpus);
  FindOptions options{.audit = false};
  options.folding = folding;
  options.asked = {{0, 1}};
  LEITONG_ASSIGN(const PairResult found, find_pairs(source, options, longest_first, run));
  CorpusVerdict verdict;
  verdict.pair = {0, 1, static_cast<float>(compared.jaccard),
                  static_cast<float>(std::max(compared.a.containment, compared.b.containment))};
  const bool copies = compared.similar_by == measure_name(Measure::copy);
  if (compared.identical || copies) {
    verdict.similar = true;
    verdict.pair = copies_of_one(0, 1, compared.identical);
  } else if (!found.asked.empty()) {
    verdict.similar = found.asked.front().accepted;
    verdict.pair = found.asked.front().pair;
  }
  verdict.reason = reason_of(verdict.pair, verdict.similar, folding.numbers);
  return InCorpus{
      std::move(verdict),
      {corpus->size(), corpus->quarantined(), corpus->first_quarantined(), corpus->truncated_inputs()}};
}

}  // namespace

Result<InCorpus> compare_in_corpus(std::string_view a, std::string_view b, const CompareResult& compared,
                                   const InputOptions& corpus, const Context& context,
                                   const Folding& folding) {
  return on_threads(context, [&] { return decide(a, b, compared, corpus, context, folding); });
}

}  // namespace leitong
