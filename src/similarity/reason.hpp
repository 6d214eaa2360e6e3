// The report about a decided pair: its measures without templates, and why it is similar or not.
#pragma once

#include <string>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "leitong/folding.hpp"

namespace leitong {

/// The measures that the second decision used. Without a second decision, the whole texts count as their own.
[[nodiscard]] WithoutTemplate own_measures(const VerifiedPair& pair) noexcept;

/// "similar: Jaccard 0.63"; "not similar: 83 % of what they share is a template that about 310 other families
/// of texts hold". `accepted` is the decision about the pair. States the measures of the second decision if
/// there was one, and whether sites could change it. `numbers` says which numbers counted; copies may differ
/// in those that did not.
[[nodiscard]] std::string reason_of(const VerifiedPair& pair, bool accepted,
                                    NumberUnits numbers = NumberUnits::same);

/// "98.4 %", with so many digits that a part is never shown as 0 % or 100 %. If four digits are not enough,
/// "less than 0.0001 %" or "nearly all". `part` is from 0 to 1.
[[nodiscard]] std::string exact_percent(double part);
/// "the kept text holds 98.4 % of it; longest stretch lost: 9 units", for a text that leaves.
[[nodiscard]] std::string loss_words(const Loss& loss);
/// "stays: 12 % of it stands nowhere else", for a text that stays because the other one lacks so much of it.
[[nodiscard]] std::string staying_words(const Loss& loss);

}  // namespace leitong
