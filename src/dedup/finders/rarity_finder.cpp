// Winnowed keys, joined by their rarity.
#include "dedup/finders/finders.hpp"
#include "index/rarity_join.hpp"
#include "scheme/key_tiers.hpp"

namespace leitong {
namespace {

// Winnowing chooses 2 of every window + 1 shingles (Schleimer et al. 2003, section 3.2).
double expected_keys(std::uint32_t a, std::uint32_t b) {
  return 2.0 * a / ((b < kShortKeysBelow ? kShortKeyWindow : long_key_window(b)) + 1);
}
double comparable_share(std::uint32_t a, std::uint32_t b) {
  return b < kShortKeysBelow ? 1.0 : (long_key_window(a) + 1.0) / (long_key_window(b) + 1.0);
}

class RarityFinder final : public PairFinder {
 public:
  explicit RarityFinder(const FinderContext& context)
      : rule_(context.rule),
        join_({kShortKeysBelow, expected_keys, comparable_share}, context.table, context.run) {}

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    return join_.add(document, {words.subspan(1, words[0]), words.subspan(1 + words[0])});
  }

  Result<void> find(CandidateSink& sink) override { return join_.find(sink, reachable()); }

  Result<void> find_strays(CandidateSink& sink, std::span<const DocId> family, unsigned round) override {
    return join_.find_strays(sink, reachable(), family, round);
  }

  [[nodiscard]] bool is_common(DocId document) const override { return join_.is_hot(document); }

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
  [[nodiscard]] RarityJoin::Reachable reachable() const {
    return [this](std::uint32_t a, std::uint32_t b) { return rule_.worth_verifying(a, b); };
  }

  const Rule& rule_;
  RarityJoin join_;
};

}  // namespace

MadeFinder make_rarity_finder(const Scheme&, const Params&, const FinderContext& context) {
  return std::make_unique<RarityFinder>(context);
}

}  // namespace leitong
