// The keys that the scheme "overlap" takes of a text, by its length: for the sketch, and for the join that
// depends on their number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "feature/shingles.hpp"

namespace leitong {

/// Dense keys are shingles of the measure itself, so that the share of common keys estimates containment.
inline constexpr std::size_t kDenseKeyUnits = kShingleUnits;

/// The winnowing window of the dense keys. Windows are powers of two, so that the keys of a long text are
/// chosen in a short one as well. The longer the text, the more keys it has.
[[nodiscard]] constexpr std::uint32_t dense_key_window(std::uint32_t units) {
  if (units < 2'048) return 4;
  if (units < 8'192) return 8;
  if (units < 32'768) return 16;
  return 32;
}

/// Long keys lead to common passages: any common run of kPassageUnits units holds one (Schleimer et al. 2003:
/// a run of kPassageKeyUnits + kPassageWindow - 1 units does).
inline constexpr std::size_t kPassageUnits = 60, kPassageKeyUnits = 28, kPassageWindow = 32;
static_assert(kPassageKeyUnits + kPassageWindow - 1 <= kPassageUnits);

}  // namespace leitong
