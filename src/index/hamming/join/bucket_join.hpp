// The work of one thread on the fingerprints that a table brought together: groups them further, compares
// them, and splits over-full buckets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_array.hpp"
#include "base/pod_vector.hpp"
#include "base/stop.hpp"
#include "index/hamming/bit_order.hpp"
#include "index/hamming/join/edge_log.hpp"
#include "index/hamming/join/kernels.hpp"
#include "index/hamming/plan.hpp"

namespace leitong::hamming {

/// Buckets up to this size are compared by the kernel that processes many of them.
inline constexpr std::uint32_t kSmallBucket = 64;

/// The number of key bits by which so many fingerprints of a partition are grouped, if the key has as many:
/// into buckets of eight or fewer on average, which the kernels compare in one step.
[[nodiscard]] unsigned bits_to_group_by(std::size_t count) noexcept;

/// The work of the comparisons.
struct CompareFigures {
  std::uint64_t compared = 0;  ///< pairs of fingerprints that were compared
  std::uint64_t splits = 0;    ///< over-full buckets that were split
  std::uint64_t repeated = 0;  ///< fingerprints that an earlier row has, too

  CompareFigures& operator+=(const CompareFigures& other) noexcept {
    compared += other.compared;
    splits += other.splits;
    repeated += other.repeated;
    return *this;
  }
};

/// Shared by all tables and threads of a join.
template <Fingerprint F>
struct JoinContext {
  const Plan<F>& plan;
  const Kernels& kernels;
  const BitOrder<F>& order;  ///< order of the bits of the whole input
  StopToken stop;
  /// True: only a spanning forest of every bucket is wanted, which is enough for components.
  bool spanning = false;
};

/// Finds the edges of the tables of a plan, one partition after another. For one thread.
template <Fingerprint F>
class BucketJoin {
 public:
  BucketJoin(const JoinContext<F>& context, EdgeLog<F>& log);

  /// Selects a table of the plan for the calls that follow. REQUIRED first.
  void turn_to(std::size_t table);

  /// Finds all edges among `values`, which agree in the bits of `fixed`, a part of the table's key.
  Result<void> self(std::span<const F> values, F fixed);
  /// Finds all edges between `left` and `right`, which agree in the bits of `fixed`.
  Result<void> between(std::span<const F> left, std::span<const F> right, F fixed);

  /// Sorts `values` by the rest of the key into buckets without repeated values, for a table with a radius:
  /// bucket b is then [begins[b], ends[b]) of `values`.
  void arrange(std::span<F> values, F rest, std::uint32_t* begins, std::uint32_t* ends);
  /// Finds the edges within one bucket of arrange(), or between two whose keys differ in the bits of `apart`.
  Result<void> within(std::span<F> bucket);
  Result<void> across(std::span<F> x, std::span<F> y, F apart);

  Result<void> flush() { return writer_.flush(); }
  [[nodiscard]] const CompareFigures& figures() const noexcept { return figures_; }

 private:
  /// For values that agree in some bits: the other bits, which may differ, and the most places in which they
  /// may.
  struct Slack {
    F free{};
    unsigned errors = 0;
  };

  Result<void> keep_hits(std::span<const F> values, std::size_t count);
  Result<void> keep(F x, F y);
  /// Finds all edges among values without repetition, or between two such sets.
  Result<void> crowd(std::span<F> values, Slack slack);
  Result<void> crowds(std::span<F> left, std::span<F> right, Slack slack);
  Result<void> compare_all(std::span<const F> values);
  Result<void> compare_across(std::span<const F> left, std::span<const F> right);
  /// Keys for a split that saves at least half of the comparisons; none if there are no such keys.
  std::vector<F> split_keys(std::span<const F> left, std::span<const F> right, Slack slack);
  std::uint64_t comparisons(std::span<const F> left, std::span<const F> right, F key);
  /// Connects `values` by as few edges as possible, within `most` comparisons. Moves the values that have to
  /// be compared further to the front and returns their number.
  Result<std::size_t> connect(std::span<F> values, std::uint64_t most);
  std::span<F> unique(std::span<F> values, bool report);
  /// The bits of the key beyond `fixed` by which `count` values are grouped.
  [[nodiscard]] F rest_of_key(std::size_t count, F fixed) const;
  void group(std::span<const F> values, F mask, PodVector<std::uint32_t>& begins, F* out) const;

  const JoinContext<F>& context_;
  std::size_t number_ = 0;
  Table<F> table_;
  typename EdgeLog<F>::Writer writer_;
  std::vector<Table<F>> earlier_;  // tables and split keys that find their edges before this one
  HugeArray<F> grouped_[2];
  PodVector<std::uint32_t> begins_[2];
  PodVector<PairHit> hits_;
  PodVector<std::uint32_t> scan_hits_;
  PodVector<std::uint32_t> slots_;
  std::vector<bool> dead_;           // values of the partition that repeat another one
  std::vector<std::uint32_t> died_;  // positions that are set in dead_
  CompareFigures figures_;
};

}  // namespace leitong::hamming
