// Units of a text in which numbers do not count.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Stands for any run of units that are digits alone. No unit of a text has this value.
inline constexpr Unit kNumberUnit = 0x7F000000;
/// Separates parts of an item. No unit of a text has this value.
inline constexpr Unit kBreakUnit = 0x7F000001;

/// A text as units, and again with one kNumberUnit in the place of each run of digits.
struct MaskedUnits {
  PodVector<Unit> units;   ///< as to_units() has them
  PodVector<Unit> masked;  ///< the same with numbers masked
  PodVector<std::uint32_t>
      origin;  ///< of each masked unit the first unit; and the number of units at the end
};

/// Fills all members, and replaces what they held. REQUIRES: valid UTF-8 of less than 4 GiB. Linear.
void to_masked_units(std::string_view utf8, MaskedUnits& text);

/// The unit of a letter from a to h that is a word by itself, as the labels of choices are; `letter` counts
/// from 0. REQUIRES letter < 8.
[[nodiscard]] Unit label_unit(std::uint32_t letter) noexcept;

}  // namespace leitong
