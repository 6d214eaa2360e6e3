// Texts that say the same again and again: a handful of shingles, however long the text.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Shingles of a text, repeats included, for each distinct one, from which the text is called repetitive.
inline constexpr std::size_t kRepetitiveFrom = 4;

struct RepetitionScratch {
  PodVector<std::uint32_t> chosen, set, sort;
};

/// The sorted set of the text's shingles if it is repetitive; empty if not. `shingles` are those of `units`
/// in text order, as shingle_hashes() makes them. A sample of some 16 distinct shingles tells nearly always
/// that a text isn't repetitive; only where it doesn't are all counted. A repetitive text may be taken for an
/// ordinary one, though seldom: each time that the sample misses all repeated shingles. Valid until the next
/// call with this scratch. Time: O(n). Memory: as much as `shingles`.
[[nodiscard]] std::span<const std::uint32_t> repetitive_set(std::span<const Unit> units,
                                                            std::span<const std::uint32_t> shingles,
                                                            RepetitionScratch& scratch);

}  // namespace leitong
