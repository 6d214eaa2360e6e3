// Edit distance over 32-bit symbols (Levenshtein 1965; bit-parallel after Myers 1999 and Hyyro 2003, banded
// after Ukkonen 1985).
//
// leitong's edit measure uses units (text/units.hpp), not code points: so case, width, script variants and
// punctuation are folded as for every other measure, and two texts do not differ because of their quotation
// marks alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace leitong {

/// Unit-cost edit distance (insertion, deletion, substitution), or nothing if it exceeds `cutoff`. At most
/// O(|a| |b| / 64) words, O(d max / 64) where the distance d or the cutoff is small. Memory: O(|a| + |b|). At
/// most 2^32 - 2 symbols each.
[[nodiscard]] std::optional<std::size_t> edit_distance(std::span<const std::uint32_t> a,
                                                       std::span<const std::uint32_t> b,
                                                       std::size_t cutoff = SIZE_MAX);

/// Returns 1 - distance / max(|a|, |b|), and 1 for two empty texts. A similarity below `at_least` is returned
/// as 0, which takes less time.
[[nodiscard]] double edit_similarity(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                     double at_least = 0);

}  // namespace leitong
