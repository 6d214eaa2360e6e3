// May a text leave with what it would take along?
#pragma once

#include "base/loss.hpp"
#include "leitong/dedup.hpp"

namespace leitong {

/// Does anything hang on losses?
[[nodiscard]] constexpr bool asks_for_losses(const LossLimits& limits) noexcept {
  return limits.loss < 1 || limits.run < 1;
}
[[nodiscard]] constexpr bool allows(const LossLimits& limits, const Loss& loss) noexcept {
  if (!asks_for_losses(limits)) return true;
  return !loss.renamed && !loss.other_signs && loss.share() <= limits.loss &&
         loss.stretch_share() <= limits.run;
}

}  // namespace leitong
