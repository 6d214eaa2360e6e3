#include "index/hamming_join.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "index/hamming_scan.hpp"

namespace leitong {
namespace {

struct Entry {
  std::uint64_t fingerprint;
  std::uint32_t position;
};

/// From this size on a bucket is worth the sorting that a split costs.
constexpr std::size_t kOverfull = 1024;
constexpr std::size_t kBatch = 4096;

void sort_by_block(PodVector<Entry>& entries, PodVector<Entry>& scratch, std::uint64_t block) {
  radix_sort(entries, scratch, static_cast<unsigned>(std::countr_zero(block)),
             64 - static_cast<unsigned>(std::countl_zero(block)),
             [block](const Entry& entry) { return entry.fingerprint & block; });
}

/// Calls `body(begin, end)` for every run of entries that agree in `block`; entries are sorted by it.
template <class Body>
Result<void> for_each_bucket(std::span<const Entry> entries, std::uint64_t block, Body body) {
  for (std::size_t begin = 0, end; begin < entries.size(); begin = end) {
    end = begin + 1;
    while (end < entries.size() && ((entries[end].fingerprint ^ entries[begin].fingerprint) & block) == 0)
      ++end;
    LEITONG_TRY(body(begin, end));
  }
  return {};
}

/// Cuts the set bits of `mask` into `count` runs as equal as can be, lowest first. REQUIRES count <=
/// popcount(mask).
std::vector<std::uint64_t> cut_into_blocks(std::uint64_t mask, unsigned count) {
  const auto bits = static_cast<unsigned>(std::popcount(mask));
  std::vector<std::uint64_t> blocks(count, 0);
  for (unsigned i = 0; i < bits; ++i) {
    const std::uint64_t lowest = mask & -mask;
    blocks[std::size_t{i} * count / bits] |= lowest;
    mask ^= lowest;
  }
  return blocks;
}

constexpr std::uint64_t all_pairs(std::uint64_t n) { return n * (n - 1) / 2; }

class Join {
 public:
  Join(unsigned distance, const HammingPairsFn& emit, Simd level)
      : distance_(distance), emit_(emit), scan_(hamming_scan(level)) {}

  /// All pairs among `entries`, which agree in all bits outside `free_bits`.
  Result<void> join(PodVector<Entry>& entries, std::uint64_t free_bits) {
    for (const std::uint64_t block : blocks_of(free_bits)) {
      sort_by_block(entries, scratch_, block);
      LEITONG_TRY(for_each_bucket(entries, block, [&](std::size_t begin, std::size_t end) {
        return join_bucket(std::span<const Entry>(entries).subspan(begin, end - begin), free_bits & ~block);
      }));
      // Pairs that agree here were found here: the tables to come leave them out.
      must_differ_.push_back(block);
    }
    must_differ_.resize(must_differ_.size() - blocks_of(free_bits).size());
    return {};
  }

  Result<void> compare_all(std::span<const Entry> bucket) {
    values_.clear();
    for (const Entry& entry : bucket) values_.push_back(entry.fingerprint);
    hits_.resize_for_overwrite(bucket.size());
    figures_.compared += all_pairs(bucket.size());
    for (std::size_t i = 0; i + 1 < bucket.size(); ++i) {
      const std::size_t found =
          scan_(values_.data() + i + 1, bucket.size() - i - 1, values_[i], distance_, hits_.data());
      for (std::size_t hit = 0; hit < found; ++hit) LEITONG_TRY(keep(bucket[i], bucket[i + 1 + hits_[hit]]));
    }
    return {};
  }

  Result<HammingJoinFigures> finish() {
    LEITONG_TRY(hand_over());
    return figures_;
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t> blocks_of(std::uint64_t free_bits) const {
    return cut_into_blocks(free_bits, distance_ + 1);
  }

  Result<void> join_bucket(std::span<const Entry> bucket, std::uint64_t free_bits) {
    if (bucket.size() < 2) return {};
    if (bucket.size() < kOverfull || static_cast<unsigned>(std::popcount(free_bits)) <= distance_)
      return compare_all(bucket);
    PodVector<Entry> entries;
    entries.append(bucket);
    if (comparisons_after_split(entries, free_bits) > all_pairs(bucket.size()) / 2)
      return compare_all(bucket);
    ++figures_.splits;
    return join(entries, free_bits);
  }

  std::uint64_t comparisons_after_split(PodVector<Entry>& entries, std::uint64_t free_bits) {
    std::uint64_t comparisons = 0;
    for (const std::uint64_t block : blocks_of(free_bits)) {
      sort_by_block(entries, scratch_, block);
      (void)for_each_bucket(entries, block, [&](std::size_t begin, std::size_t end) -> Result<void> {
        comparisons += all_pairs(end - begin);
        return {};
      });
    }
    return comparisons;
  }

  Result<void> keep(const Entry& x, const Entry& y) {
    const std::uint64_t difference = x.fingerprint ^ y.fingerprint;
    for (const std::uint64_t block : must_differ_)
      if ((difference & block) == 0) return {};
    const auto [a, b] = std::minmax(x.position, y.position);
    batch_.push_back({a, b, static_cast<std::uint32_t>(std::popcount(difference))});
    return batch_.size() == kBatch ? hand_over() : Result<void>{};
  }

  Result<void> hand_over() {
    if (batch_.empty()) return {};
    figures_.pairs += batch_.size();
    LEITONG_TRY(emit_(batch_));
    batch_.clear();
    return {};
  }

  unsigned distance_;
  const HammingPairsFn& emit_;
  HammingScan scan_;
  std::vector<std::uint64_t> must_differ_;  // blocks of earlier tables, at every level of splitting
  std::vector<HammingPair> batch_;
  PodVector<Entry> scratch_;
  PodVector<std::uint64_t> values_;
  PodVector<std::uint32_t> hits_;
  HammingJoinFigures figures_;
};

}  // namespace

Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit, Simd level) {
  PodVector<Entry> entries;
  entries.resize_for_overwrite(fingerprints.size());
  for (std::size_t i = 0; i < fingerprints.size(); ++i)
    entries[i] = {fingerprints[i], static_cast<std::uint32_t>(i)};
  Join join(distance, emit, level);
  if (distance < 64) {
    LEITONG_TRY(join.join(entries, ~std::uint64_t{0}));
  } else {
    LEITONG_TRY(join.compare_all(entries));
  }
  return join.finish();
}

Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit) {
  return hamming_join(fingerprints, distance, emit, simd_level());
}

}  // namespace leitong
