// The join by rarity of the keys of the scheme "default", as finders use it.
#pragma once

#include <cstdint>
#include <span>

#include "dedup/pair_finder.hpp"
#include "index/rarity_join.hpp"
#include "scheme/key_tiers.hpp"
#include "similarity/template_rule.hpp"

namespace leitong {

[[nodiscard]] inline KeyTiers winnowed_tiers() {
  return {kShortKeysBelow,
          // Winnowing chooses 2 of every window + 1 shingles (Schleimer et al. 2003, section 3.2).
          [](std::uint32_t a, std::uint32_t b) {
            return 2.0 * a / ((b < kShortKeysBelow ? kShortKeyWindow : long_key_window(b)) + 1);
          },
          [](std::uint32_t a, std::uint32_t b) {
            return b < kShortKeysBelow ? 1.0 : (long_key_window(a) + 1.0) / (long_key_window(b) + 1.0);
          }};
}

/// From so many documents on, a shared key may be part of a template; 0 where templates are not looked for.
[[nodiscard]] constexpr std::uint32_t frame_of(bool templates, bool sites) noexcept {
  if (!templates) return 0;
  return sites ? TemplateRule::kSiteFamilies : TemplateRule::kFamilies;
}

/// A finder over this join, without what fills it.
class RarityJoinFinder : public PairFinder {
 public:
  RarityJoinFinder(const Rule& rule, const DocumentTable& table, RunContext& run, std::uint32_t frame)
      : rule_(rule), join_(winnowed_tiers(), table, run, frame) {}

  Result<void> find_strays(CandidateSink& sink, std::span<const DocId> family, unsigned round) override {
    return join_.find_strays(sink, reachable(), family, round);
  }
  Result<void> find_among(CandidateSink& sink, std::span<const std::uint32_t> likeness) override {
    return join_.find_among(sink, reachable(), likeness);
  }
  [[nodiscard]] bool is_common(DocId document) const override { return join_.is_hot(document); }

 protected:
  [[nodiscard]] RarityJoin::Reachable reachable() const {
    return [this](std::uint32_t a, std::uint32_t b) { return rule_.worth_verifying(a, b); };
  }

  Rule rule_;
  RarityJoin join_;
};

}  // namespace leitong
