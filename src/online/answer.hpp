// The answer for a text that was checked.
#pragma once

#include <optional>

#include "leitong/online.hpp"
#include "online/check_text.hpp"
#include "online/row.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// `stamp`: of the queried text; `loss`: what the match lacks of it, if texts were compared.
[[nodiscard]] Match match_of(const Row& row, const VerifiedPair& figures, const std::optional<Stamp>& stamp,
                             const std::optional<Loss>& loss = {});
/// The verdict that is told and stored: a new text of which others hold parts has one of its own.
[[nodiscard]] Verdict verdict_of(const CheckedText& text) noexcept;
[[nodiscard]] Answer answer_of(const CheckedText& text);

}  // namespace leitong::online
