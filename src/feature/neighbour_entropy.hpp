// Measures how varied the neighbours of a word are.
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// The entropy, in bits, of the words beside a word: -sum p log2 p over the counts of its neighbours (Zhang
/// Hang et al. 2020). 0 if the neighbour is always the same.
[[nodiscard]] double neighbour_entropy(std::span<const std::uint64_t> counts) noexcept;

}  // namespace leitong
