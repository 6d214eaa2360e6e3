// The loops over units and hashes, which are compiled once for each instruction set. Internal to src/feature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"

namespace leitong {

/// The loops of one instruction set. Pointers do not overlap unless stated.
struct FeatureKernels {
  /// The hash of each 5 consecutive units: `count` of them from count + 4 units.
  void (*shingles)(const std::uint32_t* units, std::size_t count, std::uint32_t* hashes);

  /// The selection hash of each k consecutive units: `count` of them from count + k - 1 units. `scratch` and
  /// `hashes` have room for count + k.
  void (*selection)(const std::uint32_t* units, std::size_t count, std::size_t k, std::uint32_t* scratch,
                    std::uint32_t* hashes);

  /// minima[i] = min(values[i .. i + window - 1]), `count` of them; window a power of two. `scratch` and
  /// `minima` have room for count + window. Returns where the minima are: one of the two, or `values` for a
  /// window of 1.
  const std::uint32_t* (*minima)(const std::uint32_t* values, std::size_t count, std::size_t window,
                                 std::uint32_t* scratch, std::uint32_t* minima);

  /// For i = 0 (if `first`) and each i in [1, count) with minima[i] != minima[i - 1]: writes the place of the
  /// rightmost minimum of window i, in values[i .. i + window - 1]. kChoiceSlack elements before `values` and
  /// after `places` may be used. Returns the number of places.
  std::size_t (*choices)(const std::uint32_t* values, const std::uint32_t* minima, std::size_t count,
                         std::size_t window, bool first, std::uint32_t* places);

  /// The n-gram hash (feature/rolling.hpp) of each n consecutive elements: `count` of them from count + n -
  /// 1. `length` is the constant that is added to the sum of n elements. `scratch` and `hashes` have room for
  /// count + n.
  void (*ngrams)(const std::uint64_t* elements, std::size_t count, std::size_t n, std::uint64_t length,
                 std::uint64_t* scratch, std::uint64_t* hashes);

  /// SipHash-2-4 (base/siphash.hpp) with the key (low, high) of the k consecutive units at each of `count`
  /// places; k even.
  void (*keyed)(const std::uint32_t* units, const std::uint32_t* places, std::size_t count, std::size_t k,
                std::uint64_t low, std::uint64_t high, std::uint64_t* hashes);

  /// Appends the distinct values of buckets [from, buckets) to `out`, each bucket in ascending order. Stops
  /// at the first bucket with more than kBucketSlots values and returns its number, or `buckets`. May
  /// overwrite kBucketSlots elements after `out`. `slots` is aligned to 64 bytes.
  std::size_t (*sort_buckets)(const std::uint32_t* slots, const std::uint8_t* counts, std::size_t from,
                              std::size_t buckets, std::uint32_t*& out);
};

inline constexpr std::uint64_t kNgramBase = 0x9E3779B97F4A7C15u;
inline constexpr std::uint64_t kNgramMixer = 0xD6E8FEB86659FD93u;

inline constexpr std::size_t kChoiceSlack = 16;
inline constexpr std::size_t kBucketSlots = 16;

[[nodiscard]] const FeatureKernels& feature_kernels(Simd level) noexcept;

const FeatureKernels& feature_kernels_scalar() noexcept;
const FeatureKernels& feature_kernels_avx2() noexcept;
const FeatureKernels& feature_kernels_avx512() noexcept;

}  // namespace leitong
