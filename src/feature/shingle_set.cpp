// Sorts shingle hashes. They are uniform, so the top bits of a hash determine its place almost exactly.
//
// Values go to buckets of kBucketSlots slots (a cache line) by value * buckets >> 32, which keeps the order;
// the kernels sort a bucket in registers and drop repetitions. Repetitions in a full bucket are dropped at
// once, since a text that repeats itself would overflow. Long texts are first divided into parts whose
// buckets fit the second-level cache.
#include "feature/shingle_set.hpp"

#include <algorithm>
#include <vector>

#include "feature/kernels.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

constexpr std::size_t kValuesPerBucket = 7;  // on average: one bucket of a thousand overflows
constexpr std::size_t kPartValues = 16'384;  // on average: the buckets of a part take 150 KB
constexpr std::size_t kMostParts = 4096;     // writing to more places at once misses the TLB each time
constexpr std::uint8_t kOverflowed = kBucketSlots + 1;

std::size_t scaled(std::uint32_t value, std::size_t limit) {
  return static_cast<std::size_t>(std::uint64_t{value} * limit >> 32);
}

/// The buckets of one part of the values at a time: numbers [base, base + buckets) of `all`.
class Buckets {
 public:
  /// The elements of working space for parts of at most `most` values.
  static std::size_t room(std::size_t buckets, std::size_t most) {
    return kBucketSlots + buckets * kBucketSlots + buckets / 4 + 1 + most;
  }

  Buckets(std::uint32_t* space, std::size_t buckets, std::size_t all, const FeatureKernels& kernels)
      : kernels_(kernels), buckets_(buckets), all_(all) {
    const auto place = reinterpret_cast<std::uintptr_t>(space) / sizeof(std::uint32_t);
    slots_ = space + (kBucketSlots - place % kBucketSlots) % kBucketSlots;
    counts_ = reinterpret_cast<std::uint8_t*>(slots_ + buckets * kBucketSlots);
    overflow_ = slots_ + buckets * kBucketSlots + buckets / 4 + 1;
  }

  /// Appends the distinct values in ascending order to `out`, which may be the memory of `values`. May
  /// overwrite kBucketSlots elements after the last.
  void sort(std::span<const std::uint32_t> values, std::size_t base, std::uint32_t*& out) {
    std::uint32_t* const overflow_end = fill(values, base);
    std::sort(overflow_, overflow_end);
    const std::uint32_t* left = overflow_;
    for (std::size_t bucket = 0;; ++bucket) {
      bucket = kernels_.sort_buckets(slots_, counts_, bucket, buckets_, out);
      if (bucket == buckets_) return;
      for (std::uint32_t* const begin = out; left < overflow_end && scaled(*left, all_) == base + bucket;
           ++left)
        if (out == begin || out[-1] != *left) *out++ = *left;
    }
  }

 private:
  /// Returns the end of the overflow: all values of the buckets that have too many.
  std::uint32_t* fill(std::span<const std::uint32_t> values, std::size_t base) {
    std::fill_n(counts_, buckets_, std::uint8_t{0});
    std::uint32_t* end = overflow_;
    for (const std::uint32_t value : values) {
      const std::size_t bucket = scaled(value, all_) - base;
      std::uint32_t* const slots = slots_ + bucket * kBucketSlots;
      const std::uint8_t count = counts_[bucket];
      if (count < kBucketSlots) [[likely]] {
        slots[count] = value;
        counts_[bucket] = static_cast<std::uint8_t>(count + 1);
      } else if (std::find(slots, slots + kBucketSlots, value) == slots + kBucketSlots) {
        if (count == kBucketSlots) {
          if (const std::uint8_t distinct = drop_repeated(slots); distinct < kBucketSlots) {
            slots[distinct] = value;
            counts_[bucket] = static_cast<std::uint8_t>(distinct + 1);
            continue;
          }
          end = std::copy_n(slots, kBucketSlots, end);
        }
        counts_[bucket] = kOverflowed;
        *end++ = value;
      }
    }
    return end;
  }
  /// Removes repetitions from a full bucket. Returns how many values are left.
  static std::uint8_t drop_repeated(std::uint32_t* slots) {
    std::uint32_t* end = slots + 1;
    for (std::size_t i = 1; i < kBucketSlots; ++i)
      if (std::find(slots, end, slots[i]) == end) *end++ = slots[i];
    return static_cast<std::uint8_t>(end - slots);
  }

  const FeatureKernels& kernels_;
  std::size_t buckets_;
  std::size_t all_;
  std::uint32_t* slots_;
  std::uint8_t* counts_;
  std::uint32_t* overflow_;
};

/// Divides values into `parts` ranges by counting. Returns where each begins, and the end.
std::vector<std::size_t> partition(std::span<const std::uint32_t> values, std::size_t parts,
                                   std::uint32_t* to) {
  std::vector<std::size_t> begins(parts + 1);
  for (const std::uint32_t value : values) ++begins[scaled(value, parts) + 1];
  for (std::size_t part = 0; part < parts; ++part) begins[part + 1] += begins[part];
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (const std::uint32_t value : values) to[next[scaled(value, parts)]++] = value;
  return begins;
}

}  // namespace

void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch) {
  shingle_set(units, set, scratch, simd_level());
}

void shingle_set(std::span<const Unit> units, PodVector<std::uint32_t>& set,
                 PodVector<std::uint32_t>& scratch, Simd level) {
  shingle_hashes(units, set, level);
  make_shingle_set(set, scratch, level);
}

void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch) {
  make_shingle_set(set, scratch, simd_level());
}

void make_shingle_set(PodVector<std::uint32_t>& set, PodVector<std::uint32_t>& scratch, Simd level) {
  const std::size_t count = set.size();
  set.resize_for_overwrite(count + kBucketSlots);
  std::uint32_t* out = set.data();
  const FeatureKernels& kernels = feature_kernels(level);
  if (count <= 2 * kPartValues) {
    const std::size_t buckets = count <= kBucketSlots ? 1 : count / kValuesPerBucket + 1;
    scratch.resize_for_overwrite(Buckets::room(buckets, count));
    Buckets(scratch.data(), buckets, buckets, kernels).sort({set.data(), count}, 0, out);
  } else {
    const std::size_t parts = std::min(count / kPartValues, kMostParts);
    const std::size_t mean = count / parts;
    const std::size_t buckets = mean / kValuesPerBucket + 1;
    scratch.resize_for_overwrite(count + Buckets::room(buckets, 2 * mean));
    const std::vector<std::size_t> begins = partition({set.data(), count}, parts, scratch.data());
    Buckets space(scratch.data() + count, buckets, parts * buckets, kernels);
    for (std::size_t part = 0; part < parts; ++part) {
      const std::span<std::uint32_t> values(scratch.data() + begins[part], begins[part + 1] - begins[part]);
      if (values.size() <= 2 * mean) {
        space.sort(values, part * buckets, out);
      } else {  // the text repeats itself: few values, each many times
        std::sort(values.begin(), values.end());
        out = std::unique_copy(values.begin(), values.end(), out);
      }
    }
  }
  set.resize_for_overwrite(static_cast<std::size_t>(out - set.data()));
}

}  // namespace leitong
