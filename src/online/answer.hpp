// The answer for a text that was checked.
#pragma once

#include <optional>

#include "leitong/online.hpp"
#include "online/check_text.hpp"
#include "online/row.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// `stamp`: the stamp of the queried text. `loss`: what the match lacks of the queried text, if texts were
/// compared.
[[nodiscard]] Match match_of(const Row& row, const VerifiedPair& figures, const std::optional<Stamp>& stamp,
                             const std::optional<Loss>& loss = {});
/// The verdict that is answered and stored. A new text of which others hold parts has a verdict of its own.
[[nodiscard]] Verdict verdict_of(const CheckedText& text) noexcept;
[[nodiscard]] Answer answer_of(const CheckedText& text);

}  // namespace leitong::online
