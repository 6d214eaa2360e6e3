// Every pair that the rule can accept, by the exact prefix join over all shingles.
#include "dedup/finders/finders.hpp"
#include "dedup/finders/in_memory.hpp"
#include "feature/shingles.hpp"
#include "index/prefix_join.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {
namespace {

class AllPairsFinder final : public PairFinder {
 public:
  explicit AllPairsFinder(const FinderContext& context)
      : rule_(context.templates && !context.rule.measure ? widened(context.rule) : context.rule),
        templates_(context.templates),
        warning_(context),
        join_(context.run) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    return join_.add(document, words);
  }

  Result<void> find(CandidateSink& sink) override {
    warning_.say();
    // A passage holds this number of shingles, which nearly always are distinct.
    const std::uint32_t of_passage = rule_.passage_units > 0
                                         ? rule_.passage_units - static_cast<std::uint32_t>(kShingleUnits) + 1
                                         : UINT32_MAX;
    return join_.find(
        sink, rule_.least_share(),
        // Which part of a text is outside of templates is not known yet.
        [this](std::uint32_t na, std::uint32_t nb) { return templates_ || rule_.reachable(na, nb); },
        of_passage);
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"shingles", join_.elements()}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  Rule rule_;
  bool templates_;
  AllPairsWarning warning_;
  PrefixJoin join_;
};

}  // namespace

MadeFinder make_all_pairs_finder(const Scheme&, const Params&, const FinderContext& context) {
  if (context.rule.measure == Measure::edit)
    return fail(ErrorCode::unsupported,
                "the method all-pairs joins shingles and can't promise all pairs of the edit measure; take "
                "another measure, or the method edit");
  return std::make_unique<AllPairsFinder>(context);
}

}  // namespace leitong
