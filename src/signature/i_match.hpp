// I-Match: one digest of the most significant words of a document; equal digests mean duplicates (Chowdhury
// et al. 2002, Kolcz et al. 2004).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong {

/// 128 bits; all zeros mean "no signature".
using IMatchDigest = std::array<std::uint64_t, 2>;

/// The most lexicons in addition to the plain one.
inline constexpr std::size_t kMaxLexicons = 31;

/// Normalised IDF: (idf - least) / (greatest - least) over the terms of a corpus; 0 if all are equal. The
/// lexicon is the terms between two bounds of it.
[[nodiscard]] double normalised_idf(double idf, double least, double greatest) noexcept;

/// Fills digests[0] with the digest of all `terms`, and digests[k] with that of the terms that lexicon k
/// holds: each lexicon lacks a random third of the terms, the same third for every document. `terms` are the
/// ids of a document's distinct terms within the plain lexicon, in any order. A digest is computed from the
/// sorted ids; it is zeros if no term is left. P(some digest agrees after n changed terms) = 1 - (1 - p^n)^K
/// with p = 1/3 for K lexicons in addition to the plain one. REQUIRES digests.size() in 1 .. kMaxLexicons +
/// 1.
void i_match(std::span<const std::uint64_t> terms, std::span<IMatchDigest> digests);

}  // namespace leitong
