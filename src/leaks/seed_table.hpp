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
  /// Sorts what was added. O(n); 12 bytes a seed, and 5 to 10 more.
  void build();

  /// Calls `each(i, seed)` for the seeds of hashes[i], for all i in order. Faster than one hash at a time, as
  /// most of the table is not in the caches: what is read is fetched some steps ahead.
  template <class Each>
  void find_all(std::span<const std::uint32_t> hashes, Each each) const;

 private:
  static constexpr std::uint32_t kMostQuickBits = 22;

  /// Where the seeds of a hash are, among others.
  struct Bucket {
    std::uint32_t begin, end;
  };
  /// May there be a seed of this hash? A first look, which stays in a near cache: wrong in one case of three
  /// where there are a million seeds. The second one is wrong in one case of 30.
  [[nodiscard]] bool may_have_at_first(std::uint32_t hash) const noexcept {
    const std::uint32_t bit = hash >> quick_shift_;
    return (quick_[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  [[nodiscard]] bool may_have(std::uint32_t hash) const noexcept {
    const std::uint64_t bits = bits_of(hash);
    return (filter_[hash >> filter_shift_] & bits) == bits;
  }
  void fetch_filter(std::uint32_t hash) const noexcept {
    __builtin_prefetch(filter_.data() + (hash >> filter_shift_));
  }
  void fetch_bucket(std::uint32_t hash) const noexcept {
    __builtin_prefetch(starts_.data() + (hash >> starts_shift_));
  }
  [[nodiscard]] Bucket bucket_of(std::uint32_t hash) const noexcept {
    const std::size_t number = hash >> starts_shift_;
    __builtin_prefetch(seeds_.data() + starts_[number]);
    return {starts_[number], starts_[number + 1]};
  }
  [[nodiscard]] std::span<const Seed> seeds_in(Bucket bucket, std::uint32_t hash) const noexcept {
    while (bucket.begin < bucket.end && seeds_[bucket.begin].hash < hash) ++bucket.begin;
    std::uint32_t behind = bucket.begin;
    while (behind < bucket.end && seeds_[behind].hash == hash) ++behind;
    return {seeds_.data() + bucket.begin, behind - bucket.begin};
  }
  /// Two bits of a word of the filter.
  [[nodiscard]] static std::uint64_t bits_of(std::uint32_t hash) noexcept {
    return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
  }

  PodVector<Seed> added_;
  HugeArray<Seed> seeds_;            // ascending
  HugeArray<std::uint32_t> starts_;  // of the hashes with equal upper bits, in seeds_
  std::uint32_t starts_shift_ = 31;
  HugeArray<std::uint64_t> quick_, filter_;
  std::uint32_t quick_shift_ = 31;
  std::uint32_t filter_shift_ = 31;
};

template <class Each>
void SeedTable::find_all(std::span<const std::uint32_t> hashes, Each each) const {
  constexpr std::size_t kAhead = 24, kBlock = 1024;
  std::uint32_t likely[kBlock];
  Bucket buckets[kBlock];
  for (std::size_t first = 0; first < hashes.size(); first += kBlock) {
    const std::size_t end = hashes.size() - first < kBlock ? hashes.size() : first + kBlock;
    std::size_t some = 0, count = 0;
    for (std::size_t i = first; i < end; ++i) {
      likely[some] = static_cast<std::uint32_t>(i);
      some += may_have_at_first(hashes[i]) ? 1 : 0;
    }
    for (std::size_t k = 0; k < some && k < kAhead; ++k) fetch_filter(hashes[likely[k]]);
    for (std::size_t k = 0; k < some; ++k) {
      if (k + kAhead < some) fetch_filter(hashes[likely[k + kAhead]]);
      const std::uint32_t i = likely[k];
      likely[count] = i;
      count += may_have(hashes[i]) ? 1 : 0;
    }
    for (std::size_t k = 0; k < count; ++k) fetch_bucket(hashes[likely[k]]);
    for (std::size_t k = 0; k < count; ++k) buckets[k] = bucket_of(hashes[likely[k]]);
    for (std::size_t k = 0; k < count; ++k)
      for (const Seed& seed : seeds_in(buckets[k], hashes[likely[k]])) each(likely[k], seed);
  }
}

}  // namespace leitong
