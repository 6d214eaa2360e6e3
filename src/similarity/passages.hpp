// Which stretches two texts share: the evidence beside a similarity score.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/passage.hpp"
#include "text/units.hpp"

namespace leitong {

/// A run of `length` equal units: those of A from `a`, those of B from `b`.
struct UnitRun {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t length = 0;

  friend bool operator==(const UnitRun&, const UnitRun&) = default;
};

/// Units from which a shared run is taken for a passage between texts of these sizes: a shingle's length, and
/// more between long texts, which share runs of log(|A| |B|) by chance.
[[nodiscard]] std::size_t passage_units(std::size_t units_a, std::size_t units_b) noexcept;

/// Tiles both texts with shared runs that can't be made longer: no unit is in two of them, and no two
/// stretches of `at_least` units outside of them are equal. In order of A. Moved text is found; a text that
/// is shorter than `at_least` is found whole.
///
/// Long runs come first, in the manner of Greedy String Tiling (Wise 1993) with its Karp-Rabin search, but by
/// block lengths that halve from level to level: at each, A is searched from left to right for blocks of B
/// (every s-th place of B, s the block length; every place at the last level), the first free one is taken
/// and extended both ways. O((|A| + |B|) log(|A| + |B|)) expected; Wise's exact order is cubic. REQUIRES:
/// at_least > 0; fewer than 2^32 - 2 units each.
[[nodiscard]] std::vector<UnitRun> shared_runs(std::span<const Unit> a, std::span<const Unit> b,
                                               std::size_t at_least);

/// The passages of two texts in order of A; on either side they don't overlap.
struct SharedPassages {
  std::vector<Passage> passages;
  std::size_t at_least = 0;  ///< shortest run that was looked for, in units
  std::size_t units_a = 0;   ///< units of each text
  std::size_t units_b = 0;
  std::size_t units_shared = 0;

  /// Share of a text that its passages cover; 0 for an empty text.
  [[nodiscard]] double coverage_a() const noexcept;
  [[nodiscard]] double coverage_b() const noexcept;
};

/// shared_runs() of two texts, `at_least` as passage_units() has it. REQUIRES: valid UTF-8.
[[nodiscard]] SharedPassages shared_passages(std::string_view a, std::string_view b,
                                             const Folding& folding = {});

}  // namespace leitong
