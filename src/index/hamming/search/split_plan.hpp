// Plans the tables of a bucket that holds too many fingerprints.
#pragma once

#include <span>
#include <vector>

#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// The tables of an over-full bucket: `distance` + 1 of them. Each groups by a share of the bits `free` in
/// which its fingerprints differ, so that two fingerprints within `distance` agree in all bits of at least
/// one share. The bits are distributed by how evenly they divide the fingerprints, because real ones are
/// skewed. Empty if this would not halve the comparisons of a search.
template <Fingerprint F>
[[nodiscard]] std::vector<TableShape<F>> split_shapes(std::span<const F> fingerprints, F free,
                                                      unsigned distance);

}  // namespace leitong::hamming
