// Edit distance over 32-bit symbols (Levenshtein 1965; bit-parallel after Myers 1999 and Hyyro 2003, banded
// after Ukkonen 1985).
//
// leitong's edit measure is taken over units (text/units.hpp), not code points: then case, width, script
// variants and punctuation are folded for it as for every other measure, and a pair isn't called different
// for the sake of its quotation marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace leitong {

/// Unit-cost edit distance (insertion, deletion, substitution), or nothing if it exceeds `cutoff`. O(|a| |b|
/// / 64) words at most, O(d max / 64) where the distance d or the cutoff is small. Memory: O(|a| + |b|). At
/// most 2^32 - 2 symbols each.
[[nodiscard]] std::optional<std::size_t> edit_distance(std::span<const std::uint32_t> a,
                                                       std::span<const std::uint32_t> b,
                                                       std::size_t cutoff = SIZE_MAX);

/// 1 - distance / max(|a|, |b|); two empty texts are 1. A similarity below `at_least` is returned as 0,
/// sooner.
[[nodiscard]] double edit_similarity(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                     double at_least = 0);

}  // namespace leitong
