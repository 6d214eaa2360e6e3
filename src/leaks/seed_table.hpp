// Where items hold which short runs: a table of hashes that long documents are looked up in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// A run of an item.
struct SeedOf {
  std::uint32_t item;
  std::uint32_t detail;  ///< whatever the finder wants to know of it
};

/// Hashes with the items that they came from. Built once; then any number of threads may ask.
class SeedTable {
 public:
  struct Seed {
    std::uint32_t hash;
    SeedOf of;
  };

  /// In ascending order of items.
  void add(std::uint32_t hash, SeedOf of) { added_.push_back({hash, of}); }
  /// Sorts what was added. O(n); 12 bytes a seed, and about 6 for each hash.
  void build();

  /// May there be a seed of this hash? Wrong in about one case of 30.
  [[nodiscard]] bool may_have(std::uint32_t hash) const noexcept {
    const std::uint64_t bits = bits_of(hash);
    return (filter_[hash >> filter_shift_] & bits) == bits;
  }
  /// Fetches what may_have() will read of a hash into the cache.
  void fetch_filter(std::uint32_t hash) const noexcept {
    __builtin_prefetch(filter_.data() + (hash >> filter_shift_));
  }

  /// Where the seeds of a hash are, among others.
  struct Bucket {
    std::uint32_t begin, end;
  };
  /// Fetches what bucket_of() will read.
  void fetch_bucket(std::uint32_t hash) const noexcept {
    __builtin_prefetch(starts_.data() + (hash >> starts_shift_));
  }
  /// And fetches what seeds_in() will read.
  [[nodiscard]] Bucket bucket_of(std::uint32_t hash) const noexcept {
    const std::size_t number = hash >> starts_shift_;
    __builtin_prefetch(seeds_.data() + starts_[number]);
    return {starts_[number], starts_[number + 1]};
  }
  /// The seeds of a hash, in the order in which they were added. `bucket`: bucket_of() the hash.
  [[nodiscard]] std::span<const Seed> seeds_in(Bucket bucket, std::uint32_t hash) const noexcept {
    while (bucket.begin < bucket.end && seeds_[bucket.begin].hash < hash) ++bucket.begin;
    std::uint32_t behind = bucket.begin;
    while (behind < bucket.end && seeds_[behind].hash == hash) ++behind;
    return {seeds_.data() + bucket.begin, behind - bucket.begin};
  }

  /// Calls `each(i, seed)` for the seeds of hashes[i], for all i in order. Faster than one hash at a time, as
  /// most of the table is not in the caches: what is read is fetched some steps ahead.
  template <class Each>
  void find_all(std::span<const std::uint32_t> hashes, Each each) const;

 private:
  /// Two bits of a word of the filter.
  [[nodiscard]] static std::uint64_t bits_of(std::uint32_t hash) noexcept {
    return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
  }

  PodVector<Seed> added_;
  HugeArray<Seed> seeds_;            // ascending
  HugeArray<std::uint32_t> starts_;  // of the hashes with equal upper bits, in seeds_
  std::uint32_t starts_shift_ = 31;
  HugeArray<std::uint64_t> filter_;
  std::uint32_t filter_shift_ = 31;
};

template <class Each>
void SeedTable::find_all(std::span<const std::uint32_t> hashes, Each each) const {
  constexpr std::size_t kAhead = 24, kBlock = 1024;
  std::uint32_t likely[kBlock];
  Bucket buckets[kBlock];
  for (std::size_t first = 0; first < hashes.size(); first += kBlock) {
    const std::size_t end = hashes.size() - first < kBlock ? hashes.size() : first + kBlock;
    std::size_t count = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (i + kAhead < hashes.size()) fetch_filter(hashes[i + kAhead]);
      likely[count] = static_cast<std::uint32_t>(i);
      count += may_have(hashes[i]) ? 1 : 0;
    }
    for (std::size_t k = 0; k < count; ++k) fetch_bucket(hashes[likely[k]]);
    for (std::size_t k = 0; k < count; ++k) buckets[k] = bucket_of(hashes[likely[k]]);
    for (std::size_t k = 0; k < count; ++k)
      for (const Seed& seed : seeds_in(buckets[k], hashes[likely[k]])) each(likely[k], seed);
  }
}

}  // namespace leitong
