// "all-pairs": every pair that the rule can accept, by the exact prefix join over all shingles.
#include <algorithm>

#include "dedup/method.hpp"
#include "feature/shingles.hpp"
#include "index/prefix_join.hpp"

namespace leitong {
namespace {

class AllPairs final : public Method {
 public:
  explicit AllPairs(const MethodContext& context)
      : rule_(context.rule), join_(context.memory, context.work) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> set, working;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    shingle_set(document.units, space.set, space.working);
    for (const std::uint32_t shingle : space.set) words.push_back(shingle);
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    return join_.add(document, words);
  }

  Result<void> find(CandidateSink& sink) override {
    return join_.find(sink, rule_.least_share(),
                      [this](std::uint32_t na, std::uint32_t nb) { return rule_.reachable(na, nb); });
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"shingles", join_.elements()}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  const Rule& rule_;
  PrefixJoin join_;
};

MadeMethod make_all_pairs(const MethodContext& context, const Params&) {
  if (context.rule.measure == Measure::edit)
    return fail(
        ErrorCode::unsupported,
        "--exact joins shingles and can't promise all pairs of --measure edit; leave out one of the two");
  return std::make_unique<AllPairs>(context);
}

}  // namespace

MethodInfo all_pairs_method() {
  return {"all-pairs",
          "every pair that the rule accepts, by the exact prefix join (slow; what --exact takes)",
          "Bayardo, Ma, Srikant 2007; Chaudhuri, Ganti, Kaushik 2006",
          {},
          "",
          kNeedsUnits,
          make_all_pairs};
}

}  // namespace leitong
