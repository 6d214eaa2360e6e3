// Decides which tables of a join are laid out together.
//
// A table is processed partition by partition, each as small as the caches. A pass over all fingerprints
// brings the partitions together, which is half of the cost of a table. Tables whose keys share enough bits
// can share the pass: a partition of fingerprints that agree in these bits is grouped for one table after the
// other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/hamming/bit_order.hpp"
#include "index/hamming/plan.hpp"

namespace leitong::hamming {

template <Fingerprint F>
struct TablePass {
  std::vector<std::size_t> tables;  ///< numbers in the plan, ascending; only one if it has a radius
  F first{};                        ///< the bits that distinguish partitions, at most 13; all keys have them
  F rest{};                         ///< the bits that distinguish the buckets of a table with a radius
};

/// The passes that lay out every table of the plan once, for `size` fingerprints whose bits have `order`.
template <Fingerprint F>
[[nodiscard]] std::vector<TablePass<F>> table_passes(const Plan<F>& plan, std::uint64_t size,
                                                     const BitOrder<F>& order);

}  // namespace leitong::hamming
