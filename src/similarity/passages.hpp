// The stretches that two texts share: the evidence for a similarity score.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/passage.hpp"
#include "text/units.hpp"

namespace leitong {

/// A run of `length` equal units, which begins at `a` in A and at `b` in B.
struct UnitRun {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t length = 0;

  friend bool operator==(const UnitRun&, const UnitRun&) = default;
};

/// The least units of a shared run that counts as a passage between texts of these sizes: the length of a
/// shingle, and more for long texts, which share runs of log(|A| |B|) units by chance.
[[nodiscard]] std::size_t passage_units(std::size_t units_a, std::size_t units_b) noexcept;

/// Covers both texts with shared runs that cannot be extended: no unit is in two of them, and no two
/// stretches of `at_least` units outside of them are equal. Sorted by their place in A. Finds moved text; a
/// text that is shorter than `at_least` is found as a whole.
///
/// Long runs come first, as in Greedy String Tiling (Wise 1993) with its Karp-Rabin search, but by block
/// lengths that are halved from level to level. At each level, A is searched from left to right for blocks of
/// B (every s-th place of B for the block length s; every place at the last level), and the first free one is
/// taken and extended in both directions. O((|A| + |B|) log(|A| + |B|)) expected; Wise's exact order is
/// cubic. REQUIRES: at_least > 0; fewer than 2^32 - 2 units each.
[[nodiscard]] std::vector<UnitRun> shared_runs(std::span<const Unit> a, std::span<const Unit> b,
                                               std::size_t at_least);

/// The runs as passages of both original texts, in the same order; in neither text do they overlap.
/// `places_a` and `places_b` are those of to_units_with_places(). REQUIRES runs sorted by their place in A,
/// of which no two have a unit in common.
[[nodiscard]] std::vector<Passage> passages_of(std::span<const UnitRun> runs,
                                               std::span<const ByteRange> places_a,
                                               std::span<const ByteRange> places_b);

/// The passages of two texts, sorted by their place in A. In neither text do they overlap.
struct SharedPassages {
  std::vector<Passage> passages;
  std::size_t at_least = 0;  ///< the least run that was looked for, in units
  std::size_t units_a = 0;   ///< units of each text
  std::size_t units_b = 0;
  std::size_t units_shared = 0;

  /// The share of a text that its passages cover; 0 for an empty text.
  [[nodiscard]] double coverage_a() const noexcept;
  [[nodiscard]] double coverage_b() const noexcept;
};

/// shared_runs() of two texts, with passage_units() as `at_least`. REQUIRES: valid UTF-8.
[[nodiscard]] SharedPassages shared_passages(std::string_view a, std::string_view b,
                                             const Folding& folding = {});

}  // namespace leitong
