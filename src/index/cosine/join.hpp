// All pairs of vectors whose cosine reaches a bound, exactly: compares every row with every other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "io/run_context.hpp"
#include "io/vector_rows.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is computed for the rows before they are compared.
struct VectorNorms {
  PodVector<double> squares;  ///< for each row the sum of the squares; 0: the row is not compared
  /// Dimensions; those that hold most of the rows' lengths come first.
  std::vector<std::uint32_t> order;
};

/// Reads all rows once. `takes_part(row)` says which rows are compared. Calls `unusable(row, why)` for each
/// of these rows without a direction, in their order. Memory: 8 bytes a row. Fails as rows.read(), and with
/// cancelled. O(count * dimensions).
Result<VectorNorms> measure_norms(const VectorRows& rows,
                                  const std::function<bool(std::uint64_t)>& takes_part,
                                  const std::function<void(std::uint64_t, std::string_view)>& unusable,
                                  RunContext& run);

/// The cosine of two rows from their numbers and sums of squares: at most 1, and 1 for equal rows.
[[nodiscard]] double cosine_of(const double* x, const double* y, std::size_t dimensions, double squares_x,
                               double squares_y) noexcept;

/// Cosines of rows that are read one by one, from one thread at a time. The arguments must outlive it.
class CosineOfRows {
 public:
  CosineOfRows(const VectorRows& rows, const VectorNorms& norms);
  /// REQUIRES that both rows take part. Fails as rows.read().
  Result<double> of(std::uint64_t a, std::uint64_t b);

 private:
  const VectorRows& rows_;
  const VectorNorms& norms_;
  std::vector<std::byte> stored_;
  std::vector<double> x_, y_;
};

/// Two rows, a < b, and their cosine.
struct CosinePair {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  double cosine = 0;
};

/// Calls `each` for every pair of rows whose cosine is at least `least`, in no order, from one thread at a
/// time. REQUIRES 0 < least. Rows are read several times, in stripes that fill half of the buffers of `run`.
/// O(count^2 * dimensions) at worst, and a seventh of it if most directions are far from one another. The
/// pairs are the same for any number of threads and any instruction set.
Result<void> join_by_cosine(const VectorRows& rows, const VectorNorms& norms, double least, RunContext& run,
                            const std::function<Result<void>(const CosinePair&)>& each,
                            Simd level = simd_level());

}  // namespace leitong
