// Finds the pairs of two stripes of rows whose cosine reaches a bound, tile by tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "base/cpu.hpp"
#include "index/cosine/join.hpp"
#include "index/cosine/kernels.hpp"
#include "index/cosine/panels.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A tile of 32 x 32 pairs is multiplied 64 dimensions at a time. The other dimensions can add to a product
/// at most the product of the norms of the two rests (Cauchy and Schwarz). So a tile is dropped as soon as no
/// pair of it can reach the bound, and if only a few pairs can, they are computed singly. Single precision,
/// with room for its rounding, chooses the pairs; the cosine of the stored numbers in double precision
/// decides. The arguments must outlive it.
class CosineTiles {
 public:
  using Each = std::function<Result<void>(const CosinePair&)>;
  /// Should a pair of a row of the first stripe and one of the second be decided? Thread-safe.
  using Wanted = std::function<bool(std::uint64_t row_a, std::uint64_t row_b)>;

  /// Passes pairs whose cosine is at least `least` to `each`, in no order, from one thread at a time.
  CosineTiles(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
              const Each& each, Simd level);

  /// Compares all rows of `a` with all of `b`; within a stripe, every pair at least once. Runs on the threads
  /// of the run. Fails as `each` does, and with cancelled.
  Result<void> compare(const Panels& a, const Panels& b, const Wanted& wanted);

 private:
  struct Worker;
  void compare_tile(const Panels& a, std::size_t panel_a, const Panels& b, std::size_t panel_b,
                    const Wanted& wanted, Worker& worker) const;
  void decide(const Panels& a, std::uint64_t i, const Panels& b, std::uint64_t j, const Wanted& wanted,
              Worker& worker) const;
  Result<void> hand_over(Worker& worker);

  const VectorRows& rows_;
  const VectorNorms& norms_;
  const double least_;
  RunContext& run_;
  const Each& each_;
  const CosineKernels& kernels_;
  const std::size_t dimensions_;
  const float bar_;
  std::mutex mutex_;
};

}  // namespace leitong
