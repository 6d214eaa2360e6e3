// Resemblance and containment of two sets (Broder 1997).
#pragma once

#include <cstdint>
#include <span>

namespace leitong {

/// |A n B| / |A u B|; 1 for two empty sets, 0 for one. Both ascending, each element once.
[[nodiscard]] double resemblance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

/// |A n B| / |A|: the part of A that lies in B; 1 for an empty A.
[[nodiscard]] double containment(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept;

}  // namespace leitong
