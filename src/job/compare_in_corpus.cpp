#include "job/compare_in_corpus.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "feature/shingles.hpp"
#include "job/base_text.hpp"
#include "job/index_reference.hpp"
#include "similarity/reason.hpp"
#include "text/units.hpp"

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

/// Are all shingles of a text, of which there are some, in the base?
bool is_only_base(std::string_view text, const std::vector<std::uint32_t>& base, const Folding& folding) {
  if (base.empty()) return false;
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
  to_units(text, folding, units);
  shingle_hashes(units, shingles);
  return !shingles.empty() && std::ranges::all_of(shingles, [&](std::uint32_t shingle) {
    return std::ranges::binary_search(base, shingle);
  });
}

/// What only a copy would be similar to.
std::string only_base_words(const CorpusVerdict& verdict) {
  const bool both = verdict.only_base[0] && verdict.only_base[1];
  return both ? "both texts hold nothing but the base, so only copies of them would be similar"
              : fmt::format("{} holds nothing but the base, so only a copy of it would be similar",
                            verdict.only_base[0] ? "A" : "B");
}

struct Question {
  std::string_view a, b;
  const CompareResult& compared;
  const Folding& folding;
  const std::vector<std::uint32_t>& base;
};

Result<CorpusVerdict> decide(const Question& question, DocumentSource& source, RunContext& run) {
  const CompareResult& compared = question.compared;
  FindOptions options{.audit = false};
  options.folding = question.folding;
  options.base = question.base;
  options.asked = {{0, 1}};
  LEITONG_ASSIGN(const PairResult found, find_pairs(source, options, longest_first, run));
  CorpusVerdict verdict;
  verdict.only_base[0] = is_only_base(question.a, question.base, question.folding);
  verdict.only_base[1] = is_only_base(question.b, question.base, question.folding);
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
  verdict.reason = !verdict.similar && (verdict.only_base[0] || verdict.only_base[1])
                       ? only_base_words(verdict)
                       : reason_of(verdict.pair, verdict.similar, question.folding.numbers);
  return verdict;
}

Result<InCorpus> decide_among(const Question& question, const InputOptions& input, const Context& context) {
  RunContext run(context);
  InCorpus result;
  if (input.paths.empty()) {
    const std::string_view texts[] = {question.a, question.b};
    MemoryDocuments source(texts);
    LEITONG_ASSIGN(result.verdict, decide(question, source, run));
    result.verdict.has_corpus = false;
    return result;
  }
  InputOptions opened = input;
  LEITONG_TRY(read_indexes_of_corpus(opened, context));
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(std::move(opened), run));
  PairAndCorpus source(question.a, question.b, *corpus);
  LEITONG_ASSIGN(result.verdict, decide(question, source, run));
  result.read = {corpus->size(), corpus->quarantined(), corpus->first_quarantined(),
                 corpus->truncated_inputs()};
  return result;
}

}  // namespace

Result<InCorpus> compare_in_corpus(std::string_view a, std::string_view b, const CompareResult& compared,
                                   const InputOptions& corpus, const Context& context, const Folding& folding,
                                   const BaseFiles& base) {
  LEITONG_ASSIGN(const std::vector<std::uint32_t> shingles,
                 read_base(context, base.input, base.paths, folding));
  const Question question{a, b, compared, folding, shingles};
  return on_threads(context, [&] { return decide_among(question, corpus, context); });
}

}  // namespace leitong
