// One number for all texts that are equal after folding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "text/units.hpp"

namespace leitong {

/// Texts that are equal after folding have the same hash; for texts that are empty after folding (emoji,
/// punctuation) the bytes decide. Another `seed` gives another hash of the same texts.
[[nodiscard]] std::uint64_t content_hash(std::string_view text, std::span<const Unit> units,
                                         std::uint64_t seed = 0) noexcept;

}  // namespace leitong
