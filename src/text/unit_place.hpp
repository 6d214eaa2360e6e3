// Finds the places of some units of a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "leitong/byte_range.hpp"
#include "leitong/folding.hpp"

namespace leitong {

/// The bytes of units `begin` to `end` of a text, as to_units_with_places() has them, for long texts of which
/// only a part is needed. The units before it are only counted. REQUIRES: valid UTF-8; begin < end. Empty at
/// the end of a text that has fewer units.
[[nodiscard]] ByteRange place_of_units(std::string_view text, std::size_t begin, std::size_t end,
                                       const Folding& folding = {});

}  // namespace leitong
