// Edges between rows: the result of a join after the rows of its fingerprints were looked up.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>

#include "base/pod_vector.hpp"
#include "index/hamming/join/edge_log.hpp"
#include "index/hamming/source.hpp"
#include "io/partitions.hpp"
#include "leitong/hamming.hpp"

namespace leitong::hamming {

/// A row, and the first row with the same fingerprint.
struct Repetition {
  std::uint64_t first = 0;
  std::uint64_t row = 0;

  friend constexpr auto operator<=>(const Repetition&, const Repetition&) noexcept = default;
};

/// The edges between the first rows of fingerprints, and the repetitions of these fingerprints.
class RowEdges {
 public:
  RowEdges(RunContext& run, std::uint64_t left_rows)
      : run_(run), edges_(run), rows_each_(left_rows / Partitions::kCount + 1) {}
  RowEdges(const RowEdges&) = delete;
  RowEdges& operator=(const RowEdges&) = delete;

  /// Passes on all edges, ordered by (a, b).
  Result<void> for_each_edge(const RowPairsFn& each);
  /// Ordered by (first, row). In a self-join: every row that repeats an earlier one. Between two sets: the
  /// repetitions of fingerprints with an edge, and possibly others.
  [[nodiscard]] std::span<const Repetition> repetitions(Side side) const noexcept {
    return repetitions_[static_cast<int>(side)];
  }

 private:
  template <Fingerprint F>
  friend class Binder;

  static constexpr unsigned kDistanceBits = 8;  // below a row, which has 56 bits

  RunContext& run_;
  Partitions edges_;  // by the left row; records of the right row with the distance, and the left row
  std::uint64_t rows_each_;
  PodVector<Repetition> repetitions_[2];
};

/// Looks up the rows of all edges in `log`, which becomes empty. Reads each source once. O(edges + rows), on
/// the threads of the caller's arena. Memory above the budget goes to the work folder, except 16 bytes for
/// each repetition.
template <Fingerprint F>
Result<void> bind(EdgeLog<F>& log, const Source<F>& left, const Source<F>* right, RunContext& run,
                  RowEdges& edges);

}  // namespace leitong::hamming
