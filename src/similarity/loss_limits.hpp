// Decides whether a text may leave in spite of what would be lost with it.
#pragma once

#include <optional>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "leitong/dedup.hpp"

namespace leitong {

/// True if the decision depends on losses.
[[nodiscard]] constexpr bool asks_for_losses(const LossLimits& limits) noexcept {
  return limits.loss < 1 || limits.run < 1;
}
[[nodiscard]] constexpr bool allows(const LossLimits& limits, const Loss& loss) noexcept {
  if (!asks_for_losses(limits)) return true;
  const double numbers = limits.number * loss.numbers / loss.own;
  return !loss.renamed && !loss.other_signs && loss.share() + numbers <= limits.loss &&
         loss.stretch_share() <= limits.run && loss.longest <= limits.longest_run;
}

/// True if a text may leave by a pair of this measure. Users who bring vectors want texts of one meaning to
/// leave even if their words differ, so the loss is only reported there.
[[nodiscard]] constexpr bool may_leave(const LossLimits& limits, Measure measure,
                                       const std::optional<Loss>& loss) noexcept {
  return !asks_for_losses(limits) || measure == Measure::cosine || (loss && allows(limits, *loss));
}

}  // namespace leitong
