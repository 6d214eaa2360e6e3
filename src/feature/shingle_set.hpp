// Turns shingle hashes in any order into their set.
#pragma once

#include <cstdint>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// Sorts hashes that are evenly distributed, as those of shingle_hashes() are, and removes repetitions. O(n)
/// expected, O(n log n) at worst; `scratch` is only working space.
void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch);
void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch, Simd level);

}  // namespace leitong
