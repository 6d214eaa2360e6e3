// Texts that say the same again and again: a handful of shingles, however long the text.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Shingles of a text, repeats included, for each distinct one, from which the text is called repetitive.
inline constexpr std::size_t kRepetitiveFrom = 4;

struct RepetitionScratch {
  PodVector<std::uint32_t> set, sort;
};

/// May these hashes be those of a repetitive text? Looks at some 16 of them, chosen by their values, so that
/// a repeated hash is chosen each time or never. Seldom yes where nearly all are distinct, nearly always yes
/// where each occurs kRepetitiveFrom times. Costs a fraction of a nanosecond for each hash.
[[nodiscard]] bool may_repeat(std::span<const std::uint32_t> hashes) noexcept;
[[nodiscard]] bool may_repeat(std::span<const std::uint64_t> hashes) noexcept;

/// The sorted set of the text's shingles if it is repetitive; empty if not. Valid until the next call with
/// this scratch. Time: O(n), many times that of may_repeat(), which is to be asked first.
[[nodiscard]] std::span<const std::uint32_t> repetitive_set(std::span<const Unit> units,
                                                            RepetitionScratch& scratch);

}  // namespace leitong
