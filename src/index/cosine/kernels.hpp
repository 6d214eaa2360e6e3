// The inner loops of the join by cosine, once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.hpp"

namespace leitong {

/// The rows of a panel lie side by side: number k of row j is at [k * kPanelRows + j].
inline constexpr std::size_t kPanelRows = 32;

/// Loops over a tile: all pairs of a row of one panel and a row of another, row i of the first and row j of
/// the second at [i * kPanelRows + j]. Each instruction set rounds products differently, so no decision may
/// depend on their last bits.
struct CosineKernels {
  /// Adds to `tile` the products over `dimensions` numbers.
  void (*multiply)(const float* a, const float* b, std::size_t dimensions, float* tile) noexcept;
  /// For each row i the set of rows j with tile[i][j] + rest_a[i] * rest_b[j] >= bar, as bits. Returns the
  /// number of pairs.
  std::size_t (*reach)(const float* tile, const float* rest_a, const float* rest_b, float bar,
                       std::uint32_t* rows) noexcept;
  /// The product of two rows of whole numbers, whose count is a multiple of kWholeStep. It is exact, and so
  /// the same for each instruction set, if the squares of a row sum to less than 2^24.
  float (*product)(const std::int16_t* x, const std::int16_t* y, std::size_t dimensions) noexcept;
};

inline constexpr std::size_t kWholeStep = 64;

[[nodiscard]] const CosineKernels& cosine_kernels(Simd level) noexcept;

extern const CosineKernels kCosineScalar, kCosineAvx2, kCosineAvx512;

}  // namespace leitong
