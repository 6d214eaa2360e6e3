// Which tables of a join are laid out together.
//
// A table is worked off partition by partition, each as small as the caches; what brings the partitions
// together is a pass over all fingerprints, half of what a table costs. Tables whose keys share enough bits
// can share it: a partition of fingerprints that agree in those is grouped for one table after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/hamming/bit_order.hpp"
#include "index/hamming/plan.hpp"

namespace leitong::hamming {

template <Fingerprint F>
struct TablePass {
  std::vector<std::size_t> tables;  ///< numbers in the plan, rising; one only if it has a radius
  F first{};                        ///< the bits that tell partitions apart, 13 at most; all keys have them
  F rest{};                         ///< those that tell the buckets of a table with a radius apart
};

/// The passes that make every table of the plan, each once, for `size` fingerprints whose bits have `order`.
template <Fingerprint F>
[[nodiscard]] std::vector<TablePass<F>> table_passes(const Plan<F>& plan, std::uint64_t size,
                                                     const BitOrder<F>& order);

}  // namespace leitong::hamming
