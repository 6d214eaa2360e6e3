// The values that the rule requires of one pair.
#pragma once

#include <cstddef>
#include <limits>

#include "similarity/rule.hpp"

namespace leitong {

/// The least value that a pair must have, for each of the two measures. A measure that does not count has a
/// bar above 1.
struct Bar {
  double jaccard = std::numeric_limits<double>::infinity();
  double containment = std::numeric_limits<double>::infinity();
};

/// The share `part` / `whole`; 0 if `whole` is 0.
[[nodiscard]] inline double share(std::size_t part, std::size_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The Jaccard coefficient of two sets of `na` and `nb` elements that have `shared` ones in common.
[[nodiscard]] inline double jaccard_of(std::size_t shared, std::size_t na, std::size_t nb) noexcept {
  return share(shared, na + nb - shared);
}

/// The bar for two sets of so many distinct shingles. REQUIRES: na, nb > 0.
[[nodiscard]] Bar bar_of(const Rule& rule, std::size_t na, std::size_t nb, bool template_only) noexcept;

}  // namespace leitong
