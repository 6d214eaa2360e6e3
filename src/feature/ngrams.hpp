// Runs of n consecutive things as features: character n-grams, word n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/term_hash.hpp"
#include "text/units.hpp"

namespace leitong {

/// Longest run.
inline constexpr std::size_t kMaxNgram = 32;

/// Appends one occurrence for each run of n units, in text order: units.size() - n + 1 of them; a shorter
/// text that isn't empty has one, itself. REQUIRES 1 <= n <= kMaxNgram.
void unit_ngrams(std::span<const Unit> units, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences);

/// The same over the words of a text.
void word_ngrams(std::span<const Occurrence> words, std::size_t n, TermHash hash,
                 PodVector<Occurrence>& occurrences);

/// The distinct 32-bit hashes of all runs of n units, ascending: the sets of resemblance and containment for
/// any length of shingles (Broder 1997). n = 5 gives other hashes than shingle_set(), which is quicker.
void ngram_set(std::span<const Unit> units, std::size_t n, PodVector<std::uint32_t>& set);

}  // namespace leitong
