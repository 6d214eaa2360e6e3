// Plans: the bits by which the tables of a join or an index group, so that no pair within the distance is
// missed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/hamming/fingerprint.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

/// One table: fingerprints are grouped by the bits of `key`, and two are compared if these bits differ in at
/// most `radius` places. A table without key bits compares everything.
template <Fingerprint F>
struct Table {
  F key{};
  unsigned radius = 0;

  [[nodiscard]] unsigned key_bits() const noexcept { return count_ones(key); }
  /// Does this table bring together two fingerprints with this difference?
  [[nodiscard]] bool finds(F difference) const noexcept {
    const F in_key = difference & key;
    return in_key == F{} || (radius > 0 && count_ones(in_key) <= radius);
  }
};

/// Tables that together find every pair within `distance`. The order matters: a pair belongs to the first
/// table that finds it.
template <Fingerprint F>
struct Plan {
  std::string name;
  unsigned distance = 0;
  std::vector<Table<F>> tables;
};

/// The largest distance for which plans are made.
inline constexpr unsigned kMaxDistance = 16;

/// The plans of the literature, by name. M, V, W, T stand for numbers; blocks are as equal as possible.
///   scan         no table: compares everything
///   blocksM      M <= distance + 1 tables of one block each, with radii that sum to distance + 1 - M
///                (general pigeonhole principle: some block differs in at most its radius). blocks4 at
///                distance 3 is the 4 x 16 bits of Manku, Jain, Das Sarma 2007, section 3.1.
///   chooseM_W    M blocks, a table for every W = M - distance of them; choose5_2 at distance 3 is the 10
///                tables of 25 to 26 bits of the same section.
///   coverV_W_T   a covering design C(V, W, T): sets of W of the V blocks such that every T blocks lie in one
///                of them. A table leaves out one set and groups by the other V - W blocks, so some key
///                has none of T errors. For distance <= T. Made by Turan's construction, which
///                gives cover7_5_3, cover6_4_3, cover8_5_3 and similar ones for every T, and the quadruples
///                of cover8_4_3.
/// Fails with invalid_argument for a name that is unknown or does not fit `distance`; the message names those
/// that do.
template <Fingerprint F>
[[nodiscard]] Result<Plan<F>> named_plan(std::string_view name, unsigned distance);

/// The names that named_plan() accepts at this distance for at most `most_tables` tables.
template <Fingerprint F>
[[nodiscard]] std::vector<std::string> plan_names(unsigned distance, std::size_t most_tables);

/// Divides the set bits of `mask` into `count` blocks that are as equal as possible, lowest first. REQUIRES 0
/// < count <= count_ones(mask).
template <Fingerprint F>
[[nodiscard]] std::vector<F> cut_into_blocks(F mask, unsigned count);

/// Does the plan find every pair within its distance, for any fingerprints? Decides by the regions in which
/// the keys overlap: exponential in their number, and instant for every named plan of a few dozen tables.
template <Fingerprint F>
[[nodiscard]] bool is_complete(const Plan<F>& plan);

}  // namespace leitong::hamming
