// Computes what a batch of texts adds to an index, one text after another. Writes nothing.
#pragma once

#include <cstdint>
#include <span>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/check_text.hpp"
#include "online/index_scheme.hpp"
#include "online/row.hpp"
#include "online/state.hpp"

namespace leitong::online {

struct Batch {
  IndexScheme& scheme;
  const View& view;  ///< with the delta
  const Rows& rows;
  CheckScratch& scratch;
  Delta& delta;
  std::uint64_t checked_twice = 0;
};

/// Returns the answer for a text and puts what it adds into the delta. REQUIRES a prepared text with `known`
/// set. `as_it_was`: the state that the text was checked against has changed only by this batch.
Result<Answer> add_to_batch(Batch& batch, CheckedText& text, bool as_it_was);

/// The match of a text that was near when it was added, with the text that represents its family now.
/// `first`: the figures at that time; `units`: the units of the match, whose row and text are in the scratch.
[[nodiscard]] Match match_now(const View& view, const VerifiedPair& first, const CheckedText& text,
                              std::span<const Unit> units, CheckScratch& scratch);

/// Notes in the view's delta that one more work holds the shingles that a new work shares with others
/// (CheckedText::shared).
void learn_templates(std::span<const std::uint32_t> shared, const View& view, Delta& delta);

}  // namespace leitong::online
