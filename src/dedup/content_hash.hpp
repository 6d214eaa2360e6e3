// One number for all copies of a text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "text/units.hpp"

namespace leitong {

/// Copies hash alike: texts that are equal after folding and have the same signs that are text
/// (text/signs.hpp). Those of which folding leaves nothing (emoji, punctuation) count by their bytes. Another
/// `seed` gives another hash of the same texts.
[[nodiscard]] std::uint64_t content_hash(std::string_view text, std::span<const Unit> units,
                                         std::uint64_t seed = 0) noexcept;

}  // namespace leitong
