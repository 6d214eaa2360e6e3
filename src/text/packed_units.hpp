// Units in two bytes each, for those who keep many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Appends the units to `words`: a character of the basic plane is one word, and so is a pair of ASCII
/// letters or digits, which has a code among the surrogates; all else is three. Linear.
void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words);
void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words, Simd level);

/// Writes the first `count` units that `words` were packed from to `units`, replacing what was there.
void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units);
void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units, Simd level);

}  // namespace leitong
