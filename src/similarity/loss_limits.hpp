// May a text leave with what it would take along?
#pragma once

#include <optional>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "leitong/dedup.hpp"

namespace leitong {

/// Does anything hang on losses?
[[nodiscard]] constexpr bool asks_for_losses(const LossLimits& limits) noexcept {
  return limits.loss < 1 || limits.run < 1;
}
[[nodiscard]] constexpr bool allows(const LossLimits& limits, const Loss& loss) noexcept {
  if (!asks_for_losses(limits)) return true;
  const double numbers = limits.number * loss.numbers / loss.own;
  return !loss.renamed && !loss.other_signs && loss.share() + numbers <= limits.loss &&
         loss.stretch_share() <= limits.run;
}

/// May a text leave by a pair of this measure? Whoever brings vectors wants texts of one meaning to leave,
/// whose words are others: what is lost is told.
[[nodiscard]] constexpr bool may_leave(const LossLimits& limits, Measure measure,
                                       const std::optional<Loss>& loss) noexcept {
  return !asks_for_losses(limits) || measure == Measure::cosine || (loss && allows(limits, *loss));
}

}  // namespace leitong
