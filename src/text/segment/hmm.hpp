// Words that no dictionary has: the hidden Markov model over runs of single characters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/segment/tables.hpp"

namespace leitong {

/// The likeliest states of a run (Viterbi), as cppjieba's HMMSegment finds them: additions in its order, ties
/// to the lower state, kLogZero where nothing is possible. Afterwards ends[i] says whether a word ends with
/// symbol i; the last one always does. `ends` has room for `count`, at least 1; linear.
void find_word_ends(const SegmentTables& tables, const Symbol* symbols, std::size_t count,
                    std::uint8_t* ends) noexcept;

}  // namespace leitong
