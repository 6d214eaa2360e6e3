// Shingle hashes in any order -> their set.
#pragma once

#include <cstdint>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// Brings hashes, which are spread evenly as those of shingle_hashes() are, into ascending order and drops
/// what repeats. O(n) expected, O(n log n) at worst; `scratch` is only working space.
void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch);
void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch, Simd level);

}  // namespace leitong
