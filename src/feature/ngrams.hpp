// Runs of n consecutive units or words as features: character n-grams, word n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/term_hash.hpp"
#include "text/units.hpp"

namespace leitong {

/// The longest run.
inline constexpr std::size_t kMaxNgram = 32;

/// Appends one occurrence for each run of n units, in text order: units.size() - n + 1 of them. A shorter
/// text that is not empty has one run, the whole text. REQUIRES 1 <= n <= kMaxNgram.
void unit_ngrams(std::span<const Unit> units, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences);

/// Does the same for the words of a text.
void word_ngrams(std::span<const Occurrence> words, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences);

/// The distinct 32-bit hashes of all runs of n units, ascending: the sets for resemblance and containment
/// with any length of shingles (Broder 1997). For n = 5 the hashes differ from those of shingle_set(), which
/// is faster.
void ngram_set(std::span<const Unit> units, std::size_t n, PodVector<std::uint32_t>& set);

}  // namespace leitong
