// Pairs of vectors whose cosine reaches a bound, in a large corpus: nearly all of them, in nearly linear
// time.
//
// One row in 256 is a centre. Every row is put in the cells of the six centres that are nearest to its
// direction. Rows of one cell are compared as join_by_cosine() compares all rows. Directions are taken from
// the mean of the centres; otherwise the part that all rows have in common would make a few centres the
// nearest of most rows.
//
// Two limits keep the work linear if very many rows are similar. Only the first 64 rows of one direction are
// in cells; the others are compared only with the first. In a cell of more than 4,096 rows each row is
// compared with 4,096 rows, of which 64 are the same for all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/cpu.hpp"
#include "index/cosine/join.hpp"

namespace leitong {

/// If there are fewer rows, all are compared with each other, which is as fast.
inline constexpr std::uint64_t kLeastForCells = 9'216;

/// What an approximate join reports about itself.
struct ApproximateJoin {
  std::uint64_t limited = 0;  ///< rows that a limit kept from others
  /// At most 1,024 rows, ascending, on which it is measured what was missed. A hash of their direction
  /// chooses them. Empty if all rows were compared.
  std::vector<std::uint32_t> sample;
};

/// Calls `each` for most pairs of rows whose cosine is at least `least`, and for no others, in no order, from
/// one thread at a time. REQUIRES 0 < least. The pairs are the same for any number of threads, memory and
/// instruction set. Fails with unsupported if leitong was built without USearch, and with limit if the run's
/// memory has no room for 72 bytes a row.
Result<ApproximateJoin> join_approximately(const VectorRows& rows, const VectorNorms& norms, double least,
                                           RunContext& run,
                                           const std::function<Result<void>(const CosinePair&)>& each,
                                           Simd level = simd_level());

/// For each row of the sample, the number of other rows that have a cosine of at least `least` with it, by
/// comparing with all rows. A pair of two sampled rows counts for the earlier one. O(sample * count *
/// dimensions).
Result<std::vector<std::uint64_t>> count_pairs_of(const std::vector<std::uint32_t>& sample,
                                                  const VectorRows& rows, const VectorNorms& norms,
                                                  double least, RunContext& run, Simd level = simd_level());

}  // namespace leitong
