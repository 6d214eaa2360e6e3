// Detects texts that repeat themselves: they have few distinct shingles, however long they are.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// A text is repetitive if it has at least so many shingles for each distinct one.
inline constexpr std::size_t kRepetitiveFrom = 4;

struct RepetitionScratch {
  PodVector<std::uint32_t> set, sort;
};

/// True if the hashes may be those of a repetitive text. Examines about 16 of them, chosen by their values,
/// so that all copies of a hash are chosen or none. Seldom true if nearly all hashes are distinct, and nearly
/// always true if each occurs kRepetitiveFrom times. Takes a fraction of a nanosecond for each hash.
[[nodiscard]] bool may_repeat(std::span<const std::uint32_t> hashes) noexcept;
[[nodiscard]] bool may_repeat(std::span<const std::uint64_t> hashes) noexcept;

/// The sorted set of the text's shingles if it is repetitive, otherwise empty. Valid until the next call with
/// this scratch. O(n), and many times the time of may_repeat(), which should be called first.
[[nodiscard]] std::span<const std::uint32_t> repetitive_set(std::span<const Unit> units,
                                                            RepetitionScratch& scratch);

}  // namespace leitong
