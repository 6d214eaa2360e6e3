// The pairs of two stripes of rows whose cosine reaches a bound, tile by tile.
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

/// A tile of 32 x 32 pairs is multiplied 64 dimensions at a time. What the other dimensions can add to a
/// product is at most the product of the norms of the two rests (Cauchy and Schwarz), so a tile is left as
/// soon as no pair of it can reach the bound, and a few pairs that may are computed one by one. Single
/// precision chooses what is computed, with room for its rounding; what decides is the cosine of the stored
/// numbers in double precision. What is passed must outlive it.
class CosineTiles {
 public:
  using Each = std::function<Result<void>(const CosinePair&)>;
  /// Is a pair of a row of the first stripe and one of the second to be decided? Thread-safe.
  using Wanted = std::function<bool(std::uint64_t row_a, std::uint64_t row_b)>;

  /// Pairs whose cosine is at least `least` go to `each`, in no order, from one thread at a time.
  CosineTiles(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
              const Each& each, Simd level);

  /// Compares all rows of `a` with all of `b`; of a stripe with itself, every pair at least once. On the
  /// threads of the run. Fails with what `each` fails with, and with cancelled.
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
