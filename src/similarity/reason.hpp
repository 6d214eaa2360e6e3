// What is said of a decided pair: its measures without templates, and why it is similar or not.
#pragma once

#include <string>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "leitong/folding.hpp"

namespace leitong {

/// What the second decision saw; where it was not asked, the whole texts are their own.
[[nodiscard]] WithoutTemplate own_measures(const VerifiedPair& pair) noexcept;

/// "similar: Jaccard 0.63"; "not similar: 83 % of what they share is a template that about 310 other families
/// of texts hold". `accepted`: what was decided of the pair. Says what the second decision saw where it was
/// asked, and whether sites could change it. `numbers`: what they counted; copies differ in those that did
/// not.
[[nodiscard]] std::string reason_of(const VerifiedPair& pair, bool accepted,
                                    NumberUnits numbers = NumberUnits::same);

/// "98.4 %", with so many digits that a part is never shown as none or all of it; where four do not do, "less
/// than 0.0001 %" or "nearly all". `part`: 0 to 1.
[[nodiscard]] std::string exact_percent(double part);
/// "the kept text holds 98.4 % of it; longest stretch lost: 9 units": of a text that leaves.
[[nodiscard]] std::string loss_words(const Loss& loss);
/// "stays: 12 % of it stands nowhere else": of a text that stays beside one that lacks so much of it.
[[nodiscard]] std::string staying_words(const Loss& loss);

}  // namespace leitong
