// Turns units into the letters from which they were made.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Replaces `letters` by the letters of the units. A pair of Latin letters or digits gives its two folded
/// letters; any other unit gives itself. Linear.
void letters_of(std::span<const Unit> units, PodVector<std::uint32_t>& letters);

}  // namespace leitong
