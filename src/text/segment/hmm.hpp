// Finds words that are in no dictionary: a hidden Markov model for runs of single characters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/segment/tables.hpp"

namespace leitong {

/// Finds the most likely states of a run (Viterbi), exactly as cppjieba's HMMSegment does: additions in its
/// order, ties to the lower state, kLogZero where nothing is possible. Afterwards ends[i] says whether a word
/// ends with symbol i; the last one always ends one. `ends` has room for `count` elements, at least 1.
/// Linear.
void find_word_ends(const SegmentTables& tables, const Symbol* symbols, std::size_t count,
                    std::uint8_t* ends) noexcept;

}  // namespace leitong
