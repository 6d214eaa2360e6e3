// Finds the fastest plan for given fingerprints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cpu.hpp"
#include "index/hamming/bit_order.hpp"
#include "index/hamming/join/table_join.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// Some fingerprints of the input, evenly spread; empty if they are assumed to be uniform.
template <Fingerprint F>
struct Sample {
  std::vector<F> values;  ///< without repetitions
  BitOrder<F> order;      ///< the order of the bits of these values
};

/// The rows to sample: one in 128, but at least 1024 and at most 32,768.
[[nodiscard]] std::vector<std::uint64_t> sampled_rows(std::uint64_t rows);
template <Fingerprint F>
[[nodiscard]] Sample<F> sample_of(std::vector<F> values);
/// Reads sampled_rows().
template <Fingerprint F>
Result<Sample<F>> take_sample(const JoinInput<F>& input);
template <Fingerprint F>
Result<Sample<F>> take_sample(const RowSource<F>& source);
/// An empty sample, which stands for uniform fingerprints: they agree only by chance.
template <Fingerprint F>
[[nodiscard]] Sample<F> uniform_sample();

/// The share of all pairs of fingerprints that agree in the bits of `key`, by the sample, but no less than
/// chance. O(n log n) for a sample of n.
template <Fingerprint F>
[[nodiscard]] double agreeing_share(const Sample<F>& sample, F key);

/// The number of fingerprints that the tables of a join may hold at once within `memory` bytes (0: no limit).
/// Fails with limit if the memory is too small.
template <Fingerprint F>
Result<std::uint64_t> room_for_tables(std::uint64_t left, std::uint64_t right, std::uint64_t memory);

/// The expected cost of a plan, in seconds of one core.
struct PlanCost {
  std::string plan;
  std::size_t tables = 0;
  double move_seconds = 0;     ///< to bring fingerprints together: reading, scattering, grouping
  double compare_seconds = 0;  ///< to compare within buckets
  double row_seconds = 0;      ///< to look up the rows of fingerprints with an edge, beside the cost of edges
  double compared = 0;         ///< pairs of fingerprints
  std::uint64_t passes = 0;    ///< reads of the input for one table, beyond counting

  /// The seconds that JoinFigures::table_seconds measures.
  [[nodiscard]] double table_seconds() const noexcept { return move_seconds + compare_seconds; }
  [[nodiscard]] double seconds() const noexcept { return table_seconds() + row_seconds; }
};

/// Nanoseconds on one core of the machine that docs/hamming.md names. Other machines have other numbers in
/// similar proportions.
struct CostModel {
  double read;     ///< to read a fingerprint and count or skip its digit
  double scatter;  ///< to move a fingerprint to its partition
  double far;      ///< the same for each bit of the digit above 10: lines beyond the near caches and the TLB
  double group;    ///< to group a fingerprint and visit its bucket
  double compare;  ///< to compare two fingerprints, in a bucket of at most kSmallBucket
  double scan;     ///< to compare two in a larger bucket, or between two buckets
  double crowd;    ///< for a fingerprint in a larger bucket: repetitions are found by hashing
  double visit;    ///< to visit a bucket from another, in a table with a radius
  double row;      ///< to look up a fingerprint among those with an edge
  double far_row;  ///< the same if these do not fit in the shared cache
};
template <Fingerprint F>
[[nodiscard]] CostModel cost_model(Simd simd) noexcept;

/// The cost of every plan, cheapest first. `room`: the number of fingerprints that fit in memory at once.
/// Plans with radii that do not fit are left out.
template <Fingerprint F>
[[nodiscard]] std::vector<PlanCost> plan_costs(std::uint64_t size, unsigned distance, std::uint64_t room,
                                               const Sample<F>& sample, Simd simd);

template <Fingerprint F>
Result<Plan<F>> choose_plan(std::uint64_t size, unsigned distance, std::uint64_t room,
                            const Sample<F>& sample, Simd simd);

}  // namespace leitong::hamming
