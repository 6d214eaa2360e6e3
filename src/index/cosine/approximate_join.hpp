// Pairs of vectors whose cosine reaches a bound, of a large corpus: nearly all of them, in nearly linear
// time.
//
// Some rows, one in 256, are centres. Every row is put in the cells of the six centres that are nearest to
// its direction, and rows of one cell are compared as join_by_cosine() compares all. Directions are taken
// from the mean of the centres, since what all rows have in common would make a few centres the nearest of
// most.
//
// Two bounds keep the work linear where very many rows are alike. Of rows of one direction the first 64 are
// in cells; every other is compared with the first alone. Of a cell of more than 4,096 rows, each is compared
// with 4,096 of them, of which 64 are the same for all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/cpu.hpp"
#include "index/cosine/join.hpp"

namespace leitong {

/// Fewer rows are compared all with all: that is as quick.
inline constexpr std::uint64_t kLeastForCells = 9'216;

/// What an approximate join says of itself.
struct ApproximateJoin {
  std::uint64_t limited = 0;  ///< rows that one of the two bounds kept from others
  /// Rows for a measure of what was missed, rising: chosen by a hash of their direction, at most 1,024. Empty
  /// where all were compared with all.
  std::vector<std::uint32_t> sample;
};

/// Calls `each` for most pairs of rows whose cosine is at least `least`, and for no other, in no order, from
/// one thread at a time. REQUIRES 0 < least. The pairs are the same for
/// any number of threads, any memory and any instruction set. Fails with unsupported where leitong was built
/// without USearch, and with limit where the run's memory has no room for 72 bytes a row.
Result<ApproximateJoin> join_approximately(const VectorRows& rows, const VectorNorms& norms, double least,
                                           RunContext& run,
                                           const std::function<Result<void>(const CosinePair&)>& each,
                                           Simd level = simd_level());

/// Of each row of the sample, how many others have a cosine of at least `least` with it, all of them
/// compared; a pair of two sampled rows counts for the earlier one. O(sample * count * dimensions).
Result<std::vector<std::uint64_t>> count_pairs_of(const std::vector<std::uint32_t>& sample,
                                                  const VectorRows& rows, const VectorNorms& norms,
                                                  double least, RunContext& run, Simd level = simd_level());

}  // namespace leitong
