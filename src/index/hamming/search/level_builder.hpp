// Builds a level in memory from rows.
#pragma once

#include <memory>

#include "base/huge_array.hpp"
#include "base/stop.hpp"
#include "index/hamming/bit_order.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/search/level_parts.hpp"

namespace leitong::hamming {

/// A level in memory; `parts` points into the other members.
template <Fingerprint F>
struct LevelImage {
  struct Table {
    HugeArray<std::uint32_t> directory;
    HugeArray<std::uint8_t> entries;
  };
  std::vector<Table> tables;
  std::vector<Group> groups;
  HugeArray<std::uint32_t> narrow_ids;
  HugeArray<std::uint64_t> wide_ids;
  std::vector<Row<F>> removed;
  LevelParts<F> parts;
};

/// The tables of a plan for so many fingerprints: each key gets as many bits as give buckets of a few
/// entries, the best ones by `order` (the lowest ones if it has no fingerprints). Fails with invalid_argument
/// for a plan with a radius above kMaxRadius.
template <Fingerprint F>
[[nodiscard]] Result<std::vector<TableShape<F>>> level_shapes(
    const Plan<F>& plan, std::uint64_t fingerprints,
    const BitOrder<F>& order = BitOrder<F>(std::span<const F>()));

inline constexpr std::uint64_t kSortMost = std::uint64_t{1} << 25;

/// Arranges the rows for searches within `distance`, by tables that find everything within it. Rows that are
/// given twice count once. `removed` is passed on to the level.
///
/// The level depends only on the set of rows and on the shapes, not on the order of the rows or the number of
/// threads. O(n log n) for each table. Up to `sort_most` rows are sorted in working space of 32 bytes a row.
/// More rows are put directly in their places, which takes no additional space but 1.5 times as long. Fails
/// with limit for 2^32 - 1 rows or more, and as the source does. REQUIRES at least one table.
template <Fingerprint F>
Result<std::unique_ptr<LevelImage<F>>> build_level(const RowSource<F>& source,
                                                   const std::vector<TableShape<F>>& shapes,
                                                   unsigned distance, std::vector<Row<F>> removed = {},
                                                   StopToken stop = {}, std::uint64_t sort_most = kSortMost);

}  // namespace leitong::hamming
