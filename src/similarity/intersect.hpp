// Counts the common elements of two sorted sets: the inner loop of verification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"

namespace leitong {

/// Number of common elements of two ascending sequences without repetition. O(|a| + |b|).
[[nodiscard]] std::size_t intersection_size(std::span<const std::uint32_t> a,
                                            std::span<const std::uint32_t> b) noexcept;
[[nodiscard]] std::size_t intersection_size(std::span<const std::uint32_t> a,
                                            std::span<const std::uint32_t> b, Simd level) noexcept;

}  // namespace leitong
