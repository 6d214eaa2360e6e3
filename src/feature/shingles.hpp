// Turns units into shingles: the sets whose overlap gives resemblance and containment (Broder 1997).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "base/siphash.hpp"
#include "text/units.hpp"

namespace leitong {

/// The units in one shingle of the exact measures.
inline constexpr std::size_t kShingleUnits = 5;

/// The number of shingles of a text of so many units. A text of 1 to 4 units has one shingle, the whole text;
/// an empty text has none.
[[nodiscard]] constexpr std::uint32_t shingle_count(std::uint32_t units) noexcept {
  constexpr auto kUnits = static_cast<std::uint32_t>(kShingleUnits);
  return units < kUnits ? units != 0 : units - kUnits + 1;
}

/// A 32-bit hash of each shingle, in text order: shingle_count() of them.
void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes);
void shingle_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes, Simd level);

/// The distinct shingle hashes in ascending order. O(n) expected, O(n log n) at worst; `scratch` is only
/// working space, of about units.size() elements.
void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch);
void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch, Simd level);

/// Hashes that nobody can predict without the key: siphash() of the bytes of the k-unit shingle at each
/// place. Replaces `hashes`. REQUIRES an even k.
void keyed_hashes(const SipKey& key, std::span<const Unit> units, std::size_t k,
                  std::span<const std::uint32_t> places, PodVector<std::uint64_t>& hashes);

}  // namespace leitong
