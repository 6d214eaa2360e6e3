// Finds every pair whose edit similarity reaches the threshold, by the runs that similar texts share.
#include <algorithm>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "dedup/finders/kept_arrays.hpp"
#include "index/prefix_join.hpp"
#include "scheme/edit_runs.hpp"
#include "similarity/edit.hpp"

namespace leitong {
namespace {

class EditFinder final : public PairFinder {
 public:
  EditFinder(const FinderContext& context, double threshold)
      : memory_(context),
        warning_(context),
        join_(context.run),
        stop_(context.run.stop),
        threshold_(threshold),
        q_(edit_run_length(threshold)) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    texts_.add(document, words.subspan(1, words[0]));
    LEITONG_TRY(memory_.check(texts_.documents(), texts_.bytes_each()));
    return join_.add(document, words.subspan(1 + words[0]));
  }

  Result<void> find(CandidateSink& sink) override {
    warning_.say();
    MeasuringSink measuring(sink, threshold_, stop_, [this](DocId a, DocId b) {
      return edit_similarity(texts_.of(a), texts_.of(b), threshold_);
    });
    // d <= (1 - t) n edits leave n + q - 1 - q d runs of the longer text, which is a part of at least 1 - q
    // (1 - t).
    return join_.find(measuring, 1 - static_cast<double>(q_) * (1 - threshold_),
                      [this](std::uint32_t na, std::uint32_t nb) {
                        const double padding = static_cast<double>(q_) - 1;
                        return std::min(na, nb) - padding >= threshold_ * (std::max(na, nb) - padding) - 1e-9;
                      });
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"run_length", static_cast<double>(q_)}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  SketchMemory memory_;
  AllPairsWarning warning_;
  PrefixJoin join_;
  StopToken stop_;
  KeptArrays texts_;
  double threshold_;
  std::size_t q_;
};

}  // namespace

MadeFinder make_edit_finder(const Scheme&, const Params& params, const FinderContext& context) {
  return std::make_unique<EditFinder>(context, params.number("threshold"));
}

}  // namespace leitong
