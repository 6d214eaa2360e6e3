// Decides whether few other texts hold what two texts share.
#pragma once

#include <optional>

#include "leitong/result.hpp"
#include "online/check_text.hpp"

namespace leitong::online {

/// Decides a pair that the rule refuses a second time, by rare passages (TemplateRule::kRareJaccard and what
/// follows it): the shared shingles that no text of a third family holds, among the texts that the keys find.
/// The score is their share of all shingles of the two, counted from the texts. REQUIRES the pair in
/// scratch.query and scratch.other, its decision, and the lists of the text's keys. Replaces scratch.other,
/// unless it accepts the pair.
Result<std::optional<VerifiedPair>> share_rare_text(const View& view, const Rows& rows,
                                                    const PairDecision& decision, TextNumber candidate,
                                                    CheckScratch& scratch, CheckedText& text);

}  // namespace leitong::online
