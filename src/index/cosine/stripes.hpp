// Compares many rows with many others, in stripes that fit in the run's memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "index/cosine/panels.hpp"
#include "index/cosine/tiles.hpp"

namespace leitong {

/// Takes half of the buffers of the run during its life. The arguments are those of CosineTiles. The results
/// do not depend on the memory.
class CosineStripes {
 public:
  CosineStripes(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
                const CosineTiles::Each& each, Simd level);
  ~CosineStripes();
  CosineStripes(const CosineStripes&) = delete;
  CosineStripes& operator=(const CosineStripes&) = delete;

  /// Passes on every pair of rows once.
  Result<void> all();
  /// Passes on the pairs of named rows (ascending) that are `wanted` (row a < row b), each once.
  Result<void> among(std::span<const std::uint32_t> named, const CosineTiles::Wanted& wanted);
  /// Passes on the pairs of a named row (row a) and any row (row b) that are `wanted`.
  Result<void> with_all(std::span<const std::uint32_t> named, const CosineTiles::Wanted& wanted);

 private:
  using Load = std::function<Result<void>(Panels& panels, std::uint64_t begin, std::uint64_t count)>;
  using Progress = std::function<void(std::uint64_t done)>;
  Result<void> among(std::uint64_t count, const Load& load, const CosineTiles::Wanted& wanted,
                     const Progress& progress);

  const VectorRows& rows_;
  const VectorNorms& norms_;
  RunContext& run_;
  CosineTiles tiles_;
  // Bytes of the stripes that are compared with the one that stays (a fifth of the memory), and of that one.
  std::uint64_t passing_, staying_;
  Panels a_, b_;
};

}  // namespace leitong
