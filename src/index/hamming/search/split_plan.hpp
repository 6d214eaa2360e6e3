// How a bucket that holds too many fingerprints is searched: by tables of its own.
#pragma once

#include <span>
#include <vector>

#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// The tables of an over-full bucket: `distance` + 1 of them, each grouping by a share of the bits `free` in
/// which its fingerprints differ, so that two within `distance` agree in all bits of some share. Bits are
/// dealt out by how evenly they divide the fingerprints, real ones being skewed. Empty if that wouldn't halve
/// the comparisons of a search.
template <Fingerprint F>
[[nodiscard]] std::vector<TableShape<F>> split_shapes(std::span<const F> fingerprints, F free,
                                                      unsigned distance);

}  // namespace leitong::hamming
