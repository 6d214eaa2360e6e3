// Units -> the letters that they were made of.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Replaces `letters` by those of the units: a pair of Latin letters or digits is two of them, folded, and
/// any other unit is one, itself. Linear.
void letters_of(std::span<const Unit> units, PodVector<std::uint32_t>& letters);

}  // namespace leitong
