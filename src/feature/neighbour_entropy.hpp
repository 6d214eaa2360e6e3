// How free the neighbours of a word are.
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// Entropy, in bits, of what stands beside a word: -sum p log2 p over the counts of its neighbours (Zhang
/// Hang et al. 2020). 0 where it is always the same.
[[nodiscard]] double neighbour_entropy(std::span<const std::uint64_t> counts) noexcept;

}  // namespace leitong
