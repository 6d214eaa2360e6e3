// Which runs of an item it is looked up by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/halves.hpp"
#include "base/pod_vector.hpp"
#include "text/units.hpp"

namespace leitong {

/// Units of a seed.
inline constexpr std::size_t kSeedUnits = 4;
/// Items that may have a seed in common. One of more items is left out where an item has three rarer ones.
inline constexpr std::uint32_t kItemsOfSeed = 32;

/// Replaces `hashes` by those of each kSeedUnits successive units.
void seed_hashes(std::span<const Unit> units, PodVector<std::uint32_t>& hashes);

/// The number of items that hold each run, by the run's hash.
class RunHolders {
 public:
  /// Items in ascending order.
  void add(std::uint32_t hash, std::uint32_t item) { runs_.push_back(join_halves(hash, item)); }
  /// To be called once, after the last one. O(n); 16 bytes for each run.
  void build();
  [[nodiscard]] std::uint32_t of(std::uint32_t hash) const noexcept;

 private:
  PodVector<std::uint64_t> runs_;      // hash and item; after build() hash and number, ascending
  std::vector<std::uint32_t> starts_;  // of the hashes with equal upper bits
  std::uint32_t shift_ = 31;
};

/// The places of an item's seeds, ascending, chosen out of all places of which the next units are a run
/// without a cut: `places`, ascending, with `holders` the number of items that hold each run. Of every w
/// places in a row the rarest one is chosen, w being 1 for items of up to 8 places, 3 up to 24, and otherwise
/// 8. So an unchanged run of w + 3 units holds a seed.
[[nodiscard]] std::vector<std::uint32_t> choose_seeds(std::span<const std::uint32_t> places,
                                                      std::span<const std::uint32_t> holders);

/// The seeds of one item that must stand near each other in a document before it is looked at: a quarter of
/// them, but 2 at least, or 1 of less than 3.
[[nodiscard]] constexpr std::size_t seeds_needed(std::size_t seeds) noexcept {
  if (seeds < 3) return 1;
  return seeds < 12 ? 2 : seeds / 4;
}

}  // namespace leitong
