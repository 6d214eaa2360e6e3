#include "similarity/margin.hpp"

#include "similarity/bar.hpp"
#include "similarity/noise.hpp"

namespace leitong {

std::optional<Margin> margin_of(const Rule& rule, const VerifiedPair& pair, std::size_t na,
                                std::size_t nb) noexcept {
  if (are_copies(pair.measure) || pair.measure == Measure::estimate || pair.measure == Measure::own_text ||
      pair.measure == Measure::rare_text || pair.measure == Measure::passage ||
      pair.measure == Measure::cosine)
    return std::nullopt;
  if (pair.measure == Measure::edit && !rule.measure)
    return Margin{Measure::edit, double{pair.score}, NoiseRule::kLetters};
  if (pair.measure == Measure::edit || rule.measure == Measure::edit)
    return Margin{Measure::edit, double{pair.score}, rule.threshold};
  const Bar bar = bar_of(rule, na, nb, false);
  const Margin jaccard{Measure::jaccard, double{pair.jaccard}, bar.jaccard};
  const Margin containment{Measure::containment, double{pair.containment}, bar.containment};
  const Margin& better = containment.over() > jaccard.over() ? containment : jaccard;
  if (better.bar > 1) return std::nullopt;  // neither measure counts for texts of these sizes
  return better;
}

}  // namespace leitong
