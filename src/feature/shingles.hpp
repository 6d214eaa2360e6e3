// Units -> shingles: the sets whose overlap is resemblance and containment (Broder 1997).
#pragma once

#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Units in one shingle of the exact measures.
inline constexpr std::size_t kShingleUnits = 5;

/// A 32-bit hash of each shingle, in text order: units.size() - 4 of them. A text of 1..4 units has one
/// shingle, itself; an empty text has none.
void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes);
void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes, Simd level);

/// The distinct shingle hashes in ascending order. O(n) expected, O(n log n) at worst; `scratch` is only
/// working space, of about units.size() elements.
void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch);
void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch, Simd level);

}  // namespace leitong
