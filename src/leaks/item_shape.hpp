// What of an item is looked for: its shingles, and how many of them must be found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "leaks/masked_units.hpp"
#include "text/units.hpp"

namespace leitong {

/// An item, cut at its line ends and at the labels of its choices. Shingles do not reach over a cut, so that
/// choices in another order have the same ones.
struct ItemShape {
  PodVector<Unit> units;       ///< as to_units() has them
  PodVector<Unit> parts;       ///< with numbers masked, without labels, and a kBreakUnit at each cut
  std::uint32_t window = 0;    ///< masked units of a document that are looked at together
  std::uint32_t shingles = 0;  ///< different ones: pairs of neighbours in `parts`
  std::uint32_t worded = 0;    ///< of these, the ones without a number
};

/// Replaces `shape`. REQUIRES: valid UTF-8.
void to_item_shape(std::string_view utf8, ItemShape& shape);

/// Shingles without a number that an item needs in order to be found when it is not equal. Dates and sums
/// have fewer, and differ in their numbers alone.
inline constexpr std::uint32_t kLeastWorded = 6;

/// Is it long enough to be looked for? It must have 4 shingles, and 8 characters: a unit of two letters
/// counts two, and any other one.
[[nodiscard]] bool is_long_enough(const ItemShape& shape);

/// The share of its shingles that an item of so many must have in common with a document: 0.9 up to 12, 0.7
/// from 60 on, and in proportion between.
[[nodiscard]] double share_for(std::uint32_t shingles) noexcept;

}  // namespace leitong
