// Packs units into two bytes each, to save memory where many are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Appends the units to `words`. A character of the basic plane is one word, and so is a pair of ASCII
/// letters or digits, which has a code among the surrogates; all other units are three words. Linear.
void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words);
void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words, Simd level);

/// Replaces `units` by the first `count` units that `words` were packed from.
void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units);
void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units, Simd level);

}  // namespace leitong
