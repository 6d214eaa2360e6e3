// Which plan is quickest for these fingerprints?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cpu.hpp"
#include "index/hamming/bit_order.hpp"
#include "index/hamming/join/table_join.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/row.hpp"

namespace leitong::hamming {

/// Some fingerprints of the input, evenly spread; none where they are taken for uniform.
template <Fingerprint F>
struct Sample {
  std::vector<F> values;  ///< without repetitions
  BitOrder<F> order;      ///< of these
};

/// Of so many rows, those to sample: a 128th of them, but 1024 at least and 32,768 at most.
[[nodiscard]] std::vector<std::uint64_t> sampled_rows(std::uint64_t rows);
template <Fingerprint F>
[[nodiscard]] Sample<F> sample_of(std::vector<F> values);
/// Reads sampled_rows().
template <Fingerprint F>
Result<Sample<F>> take_sample(const JoinInput<F>& input);
template <Fingerprint F>
Result<Sample<F>> take_sample(const RowSource<F>& source);
/// An empty sample, which stands for uniform fingerprints: they agree by chance alone.
template <Fingerprint F>
[[nodiscard]] Sample<F> uniform_sample();

/// The share of all pairs of fingerprints that agree in the bits of `key`, as the sample has it, but no less
/// than chance. O(n log n) of the sample.
template <Fingerprint F>
[[nodiscard]] double agreeing_share(const Sample<F>& sample, F key);

/// How many fingerprints the tables of a join may lay out at once within `memory` bytes (0: no bound). Too
/// little memory is a `limit` error.
template <Fingerprint F>
Result<std::uint64_t> room_for_tables(std::uint64_t left, std::uint64_t right, std::uint64_t memory);

/// What a plan is expected to cost, in seconds of one core.
struct PlanCost {
  std::string plan;
  std::size_t tables = 0;
  double move_seconds = 0;     ///< bringing together: reading, scattering, grouping
  double compare_seconds = 0;  ///< comparing within buckets
  double row_seconds = 0;      ///< finding the rows of fingerprints that have an edge; edges cost more
  double compared = 0;         ///< pairs of fingerprints
  std::uint64_t passes = 0;    ///< times that the input is read for one table, beyond counting

  /// As JoinFigures::table_seconds has it.
  [[nodiscard]] double table_seconds() const noexcept { return move_seconds + compare_seconds; }
  [[nodiscard]] double seconds() const noexcept { return table_seconds() + row_seconds; }
};

/// Nanoseconds on one core of the machine that docs/hamming.md names. Others have other numbers, in much the
/// same proportion.
struct CostModel {
  double read;     ///< a fingerprint read and its digit counted or passed over
  double scatter;  ///< a fingerprint moved to its partition
  double far;      ///< the same for each bit of the digit above 10: lines beyond the near caches and the TLB
  double group;    ///< a fingerprint grouped and its bucket visited
  double compare;  ///< two fingerprints compared, in a bucket of kSmallBucket or fewer
  double scan;     ///< the same in a larger one, or between two buckets
  double crowd;    ///< a fingerprint in a larger one: repetitions are looked for by hashing
  double visit;    ///< a bucket visited from another, in a table with a radius
  double row;      ///< a fingerprint looked up among those that have an edge
  double far_row;  ///< the same where these don't fit the shared cache
};
template <Fingerprint F>
[[nodiscard]] CostModel cost_model(Simd simd) noexcept;

/// The cost of every plan, cheapest first. `room` is how many fingerprints fit the memory at once. Plans with
/// radii that don't fit are left out.
template <Fingerprint F>
[[nodiscard]] std::vector<PlanCost> plan_costs(std::uint64_t size, unsigned distance, std::uint64_t room,
                                               const Sample<F>& sample, Simd simd);

template <Fingerprint F>
Result<Plan<F>> choose_plan(std::uint64_t size, unsigned distance, std::uint64_t room,
                            const Sample<F>& sample, Simd simd);

}  // namespace leitong::hamming
