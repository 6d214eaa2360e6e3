// Resemblance and containment of two sets (Broder 1997).
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// |A n B| / |A u B|; 1 if both sets are empty, 0 if one is. Both are ascending and hold each element once.
[[nodiscard]] double resemblance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

/// |A n B| / |A|: the part of A that lies in B; 1 for an empty A.
[[nodiscard]] double containment(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

}  // namespace leitong
