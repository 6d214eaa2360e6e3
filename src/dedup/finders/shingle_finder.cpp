// Finds every pair of shingle sets whose measure reaches the threshold, by the exact prefix join.
#include <algorithm>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "dedup/finders/kept_arrays.hpp"
#include "index/prefix_join.hpp"
#include "scheme/shingle_measure.hpp"

namespace leitong {
namespace {

class ShingleFinder final : public PairFinder {
 public:
  ShingleFinder(const FinderContext& context, const Params& params)
      : memory_(context),
        warning_(context),
        join_(context.run),
        stop_(context.run.stop),
        measure_(shingle_measure(params)),
        threshold_(params.number("threshold")) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    sets_.add(document, words);
    LEITONG_TRY(memory_.check(sets_.documents(), sets_.bytes_each()));
    return join_.add(document, words);
  }

  Result<void> find(CandidateSink& sink) override {
    warning_.say();
    MeasuringSink measuring(sink, threshold_, stop_,
                            [this](DocId a, DocId b) { return measure_(sets_.of(a), sets_.of(b)); });
    // A Jaccard value of t between sets of n <= m elements takes t (n + m) / (1 + t) shared elements, so at
    // least the part 2t / (1 + t) of the smaller set.
    const double share = measure_.containment ? threshold_ : 2 * threshold_ / (1 + threshold_);
    return join_.find(measuring, share, [this](std::uint32_t na, std::uint32_t nb) {
      return measure_.containment ||
             static_cast<double>(std::min(na, nb)) >= threshold_ * static_cast<double>(std::max(na, nb));
    });
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"shingles", sets_.numbers()}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  SketchMemory memory_;
  AllPairsWarning warning_;
  PrefixJoin join_;
  StopToken stop_;
  KeptArrays sets_;
  ShingleMeasure measure_;
  double threshold_;
};

}  // namespace

MadeFinder make_shingle_finder(const Scheme&, const Params& params, const FinderContext& context) {
  return std::make_unique<ShingleFinder>(context, params);
}

}  // namespace leitong
