// Edit distance over code points (Levenshtein 1965; bit-parallel after Myers 1999 and Hyyro 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace leitong {

/// Unit-cost edit distance, or nothing if it exceeds `cutoff`. O(ceil(min/64) * max) words, less with a small
/// cutoff (band).
[[nodiscard]] std::optional<std::size_t> edit_distance(std::span<const std::uint32_t> a,
                                                       std::span<const std::uint32_t> b,
                                                       std::size_t cutoff = SIZE_MAX);

/// 1 - distance / max(|a|, |b|); two empty texts are 1. A similarity below `at_least` may be returned as 0.
[[nodiscard]] double edit_similarity(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                     double at_least = 0);

}  // namespace leitong
