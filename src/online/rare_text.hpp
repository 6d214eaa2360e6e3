// Is what two texts share held by hardly any other one?
#pragma once

#include <optional>

#include "leitong/result.hpp"
#include "online/check_text.hpp"

namespace leitong::online {

/// Decides a pair that the rule refuses again, by rare passages (TemplateRule::kRareJaccard and what follows
/// it): the shingles that the two share, and that no text of a third family holds which the keys bring up.
/// The score is their part of all shingles of the two, counted from the texts. REQUIRES the pair in
/// scratch.query and scratch.other, its decision, and the lists of the text's keys; scratch.other is another
/// text then.
Result<std::optional<VerifiedPair>> share_rare_text(const View& view, const Rows& rows,
                                                    const PairDecision& decision, TextNumber candidate,
                                                    CheckScratch& scratch, CheckedText& text);

}  // namespace leitong::online
