// Where items hold which short runs: a table of hashes that long documents are looked up in.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"

namespace leitong {

/// A run of an item, by its place.
struct SeedPlace {
  std::uint32_t item;
  std::uint32_t position;  ///< in the item
};

/// Hashes with the places of items that they came from. Built once; then any number of threads may ask.
class SeedTable {
 public:
  void add(std::uint32_t hash, SeedPlace place) { seeds_.push_back({hash, place}); }
  /// Sorts what was added. O(n log n); 12 bytes a seed, and about 8 for each hash.
  void build();

  /// May there be a seed of this hash? Wrong in about one case of 16.
  [[nodiscard]] bool may_have(std::uint32_t hash) const noexcept {
    const std::uint32_t bit = hash >> filter_shift_;
    return (filter_[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  /// Fetches what may_have() or find() will read of a hash into the cache.
  void fetch_filter(std::uint32_t hash) const noexcept {
    __builtin_prefetch(&filter_[hash >> filter_shift_ >> 6]);
  }
  void fetch(std::uint32_t hash) const noexcept { __builtin_prefetch(&starts_[hash >> starts_shift_]); }
  /// The seeds of a hash, by item and position.
  struct Seed {
    std::uint32_t hash;
    SeedPlace place;
  };
  [[nodiscard]] std::span<const Seed> find(std::uint32_t hash) const noexcept;

 private:
  std::vector<Seed> seeds_;            // ascending
  std::vector<std::uint32_t> starts_;  // of the hashes with equal upper bits, in seeds_
  std::uint32_t starts_shift_ = 31;
  std::vector<std::uint64_t> filter_;
  std::uint32_t filter_shift_ = 26;
};

}  // namespace leitong
