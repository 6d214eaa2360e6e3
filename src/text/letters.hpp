// Turns units into the letters from which they were made.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Replaces `letters` by those of the units: a pair of Latin letters or digits gives the two letters, folded;
/// any other unit gives itself. Linear.
void letters_of(std::span<const Unit> units, PodVector<std::uint32_t>& letters);

}  // namespace leitong
