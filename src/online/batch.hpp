// What a batch of texts adds to an index, worked out one text after another. Nothing is written here.
#pragma once

#include <cstdint>
#include <span>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/check_text.hpp"
#include "online/index_scheme.hpp"
#include "online/rows.hpp"
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

/// Its answer, and what it adds, in the delta. REQUIRES a text that is prepared, and `known` set.
/// `as_it_was`: it was checked, and what it was checked against is the same now, but for the batch.
Result<Answer> add_to_batch(Batch& batch, CheckedText& text, bool as_it_was);

/// What a new work shares with others (CheckedText::shared), one more work is known to hold: goes to the
/// delta of the view.
void learn_templates(std::span<const std::uint32_t> shared, const View& view, Delta& delta);

}  // namespace leitong::online
