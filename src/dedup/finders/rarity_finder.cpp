// Winnowed keys, joined by their rarity.
#include <algorithm>
#include <tuple>
#include <vector>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/finders/rarity_tiers.hpp"
#include "scheme/key_tiers.hpp"

namespace leitong {
namespace {

class RarityFinder final : public RarityJoinFinder {
 public:
  explicit RarityFinder(const FinderContext& context)
      : RarityJoinFinder(context.templates ? widened(context.rule) : context.rule, context.table, context.run,
                         frame_of(context.templates, context.sites)),
        table_(context.table),
        memory_(context.run.memory) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    const SketchedKeys sketched = sketched_keys(words);
    if (sketched.set) {
      repetitive_.push_back({*sketched.set, document});
      memory_.hold(sizeof(Repetitive));
    }
    return join_.add(document, sketched.keys);
  }

  Result<void> find(CandidateSink& sink) override {
    LEITONG_TRY(offer_equal_sets(sink));
    return join_.find(sink, reachable());
  }

  [[nodiscard]] std::uint8_t frame(DocId document) const override {
    return join_.knows_frames() ? std::max<std::uint8_t>(join_.frame_share(document), 1)
                                : Candidate::kAnyFrame;
  }

  [[nodiscard]] MethodFigures figures() const override {
    const RarityJoin::Figures& f = join_.figures();
    return {{"keys", f.keys},
            {"shared_keys", f.shared_keys},
            {"hot_keys", f.hot_keys},
            {"hot_entries", f.hot_entries},
            {"raw_pairs", f.raw_pairs},
            {"star_pairs", f.star_pairs},
            {"distinct_pairs", f.distinct_pairs},
            {"hot_unmatched", f.hot_unmatched}};
  }

 private:
  struct Repetitive {
    std::uint64_t set;  // hash of the shingle set
    DocId document;
  };

  // Repetitive texts with equal shingle sets, whatever their lengths: each is paired with the one of smallest
  // content hash.
  Result<void> offer_equal_sets(CandidateSink& sink) {
    std::sort(repetitive_.begin(), repetitive_.end(), [&](const Repetitive& x, const Repetitive& y) {
      return std::tuple(x.set, table_.content[x.document], x.document) <
             std::tuple(y.set, table_.content[y.document], y.document);
    });
    for (std::size_t i = 0, first = 0; i < repetitive_.size(); ++i) {
      if (repetitive_[i].set != repetitive_[first].set) first = i;
      if (i == first) continue;
      const auto [a, b] = std::minmax(repetitive_[first].document, repetitive_[i].document);
      const Candidate candidate{a, b, 1.0F, false};
      LEITONG_TRY(sink.offer({&candidate, 1}));
      if (sink.full()) LEITONG_TRY(sink.flush());
    }
    memory_.release(repetitive_.size() * sizeof(Repetitive));
    repetitive_ = std::vector<Repetitive>();
    return sink.flush();
  }

  const DocumentTable& table_;
  MemoryBudget& memory_;
  std::vector<Repetitive> repetitive_;
};

}  // namespace

MadeFinder make_rarity_finder(const Scheme&, const Params&, const FinderContext& context) {
  return std::make_unique<RarityFinder>(context);
}

}  // namespace leitong
