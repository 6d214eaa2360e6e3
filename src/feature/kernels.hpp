// The loops over units and hashes that are compiled once per instruction set. Internal to src/feature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"

namespace leitong {

/// One instruction set's loops. Pointers don't overlap but where said so.
struct FeatureKernels {
  /// The hash of each 5 consecutive units: `count` of them from count + 4 units.
  void (*shingles)(const std::uint32_t* units, std::size_t count, std::uint32_t* hashes);

  /// The selection hash of each k consecutive units: `count` of them from count + k - 1 units. `scratch` has
  /// room for count + k.
  void (*selection)(const std::uint32_t* units, std::size_t count, std::size_t k, std::uint32_t* scratch,
                    std::uint32_t* hashes);

  /// minima[i] = min(values[i .. i + window - 1]), `count` of them; window a power of two. `scratch` and
  /// `minima` have room for count + window. Returns where the minima are: one of the two, or `values` for a
  /// window of 1.
  const std::uint32_t* (*minima)(const std::uint32_t* values, std::size_t count, std::size_t window,
                                 std::uint32_t* scratch, std::uint32_t* minima);

  /// Writes each i in [1, count) with values[i] != values[i - 1] to `places`, which has room for count + 16.
  /// Returns how many.
  std::size_t (*changes)(const std::uint32_t* values, std::size_t count, std::uint32_t* places);
};

[[nodiscard]] const FeatureKernels& feature_kernels(Simd level) noexcept;

const FeatureKernels& feature_kernels_scalar() noexcept;
const FeatureKernels& feature_kernels_avx2() noexcept;
const FeatureKernels& feature_kernels_avx512() noexcept;

}  // namespace leitong
