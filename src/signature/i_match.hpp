// I-Match: one digest of a document's telling words; equal digests mean duplicates (Chowdhury et al. 2002,
// Kolcz et al. 2004).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong {

/// 128 bits; all zeros stand for "no signature".
using IMatchDigest = std::array<std::uint64_t, 2>;

/// Most lexicons beside the plain one.
inline constexpr std::size_t kMaxLexicons = 31;

/// Normalised IDF: (idf - least) / (greatest - least) over the terms of a corpus; the lexicon is the terms
/// between two bounds of it. 0 where all are equal.
[[nodiscard]] double normalised_idf(double idf, double least, double greatest) noexcept;

/// Fills digests[0] by all of `terms`, and digests[k] by those that lexicon k holds: each lexicon lacks a
/// random third of the terms, the same third for every document. `terms`: ids of a document's distinct terms
/// within the plain lexicon, in any order. A digest is of the sorted ids; none (zeros) where no term is left.
/// P(some digest agrees after n changed terms) = 1 - (1 - p^n)^K with p = 1/3 for K lexicons beside the plain
/// one. REQUIRES digests.size() in 1 .. kMaxLexicons + 1.
void i_match(std::span<const std::uint64_t> terms, std::span<IMatchDigest> digests);

}  // namespace leitong
