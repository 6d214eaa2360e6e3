// Counts the common elements of two sorted sets, which is the inner loop of verification, and computes their
// resemblance and containment (Broder 1997).
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

/// |A n B| / |A u B|; 1 if both sets are empty, 0 if one is. Both are ascending and hold each element once.
[[nodiscard]] double resemblance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

/// |A n B| / |A|: the part of A that lies in B; 1 for an empty A.
[[nodiscard]] double containment(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

}  // namespace leitong
