// One number for all texts that are equal after folding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "text/units.hpp"

namespace leitong {

/// Texts that are equal after folding hash alike; those of which folding leaves nothing (emoji, punctuation)
/// count by their bytes. Another `seed` gives another hash of the same texts.
[[nodiscard]] std::uint64_t content_hash(std::string_view text, std::span<const Unit> units,
                                         std::uint64_t seed = 0) noexcept;

}  // namespace leitong
