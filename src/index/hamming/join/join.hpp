// The Hamming join: all pairs of fingerprints within a distance, exactly, for thousands or a billion of them.
//
// Tables (plan.hpp) bring together fingerprints that agree in some bits: one pass scatters them into
// partitions that fit the caches (scatter.hpp), and each partition is grouped further and compared there
// (bucket_join.hpp). Equal fingerprints are collapsed, over-full buckets are split exactly on their remaining
// bits, and an edge is kept only in the first table that can find it. Rows are looked up at the end
// (row_edges.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/cpu.hpp"
#include "index/hamming/join/bucket_join.hpp"
#include "index/hamming/join/row_edges.hpp"
#include "index/hamming/join/table_join.hpp"
#include "io/run_context.hpp"

namespace leitong::hamming {

struct JoinOptions {
  unsigned distance = 3;
  std::string plan;          ///< a name for named_plan(); empty: the planner decides
  std::uint64_t memory = 0;  ///< bytes that the join may use beyond its sources; 0: no limit
  Simd simd = simd_level();
  bool spanning = false;  ///< true: only the edges that connect the components are found
};

struct JoinFigures {
  std::string plan;
  std::uint64_t tables = 0;
  CompareFigures compare;
  std::uint64_t edges = 0;  ///< pairs of different fingerprints
  double table_seconds = 0, bind_seconds = 0;
};

/// The edges of a join, and what is needed to list its pairs.
class Joined {
 public:
  /// Passes on all pairs: every row of one fingerprint with every row of the other, and in a self-join all
  /// rows of one fingerprint with each other. Ordered by the first rows of the two fingerprints, then by the
  /// rows; if no fingerprint repeats, that is the order of (a, b). In a self-join a < b; between two sets a
  /// is a row of the left one. The number of pairs is quadratic in the repetitions of a fingerprint;
  /// for_each_edge() and repetitions() have the same information in linear space.
  Result<void> for_each_pair(const RowPairsFn& each);
  /// Passes on pairs of the first rows of different fingerprints (between two sets also of equal ones),
  /// ordered by (a, b).
  Result<void> for_each_edge(const RowPairsFn& each) { return edges_->for_each_edge(each); }
  [[nodiscard]] std::span<const Repetition> repetitions(Side side = Side::left) const noexcept {
    return edges_->repetitions(side);
  }
  [[nodiscard]] const JoinFigures& figures() const noexcept { return figures_; }

 private:
  template <Fingerprint F>
  friend Result<Joined> join(const JoinInput<F>&, const JoinOptions&, const Context&);

  std::unique_ptr<RunContext> run_;
  std::unique_ptr<RowEdges> edges_;
  bool self_ = true;
  JoinFigures figures_;
};

/// Joins one set with itself, or two with each other. Exact for every distance; fast if a plan groups well
/// (docs/hamming.md). The result is the same for any number of threads, plan, kernel and budget. Fails with
/// limit if the budget is too small. Runs on the threads of the caller's arena. Rows must be below 2^56. The
/// context gives the stop and the work folder, and must outlive the result.
template <Fingerprint F>
Result<Joined> join(const JoinInput<F>& input, const JoinOptions& options, const Context& context);

}  // namespace leitong::hamming
