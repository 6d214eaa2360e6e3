// The parts of a level: an immutable set of rows, arranged for search. Readers of these parts need not know
// whether the bytes are in memory or in a mapped file.
//
// Each table stores every distinct fingerprint once; its index in the first table is its position. Rows are
// sorted by position and then by id. So ids are one array, and only fingerprints with several rows need more
// space.
//
// A bucket with too many entries has its own tables, which group by other bits: they form a node. Node 0
// holds the tables of the level itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/search/table_code.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

template <Fingerprint F>
struct TableParts {
  TableShape<F> shape;
  std::span<const std::uint32_t> directory;  ///< 2^key_bits + 1: the begin of each bucket, and the end
  /// Packed values, by bucket and ascending; kEntrySlack bytes follow.
  const std::uint8_t* entries = nullptr;
};

/// Tables [first_table, first_table + tables).
struct Node {
  std::uint32_t first_table = 0, tables = 0;
  friend constexpr bool operator==(const Node&, const Node&) noexcept = default;
};

/// The tables of `node` search the bucket `key` of `table`.
struct Split {
  std::uint32_t table = 0, key = 0, node = 0;
  friend constexpr auto operator<=>(const Split&, const Split&) noexcept = default;
};

/// The fingerprint at `position` has several rows. Those before it have `surplus` rows in addition to one
/// each.
struct Group {
  std::uint32_t position = 0, surplus = 0;
};

template <Fingerprint F>
struct LevelParts {
  unsigned distance = 0;           ///< the largest distance of a search
  std::uint32_t fingerprints = 0;  ///< number of distinct fingerprints
  std::uint32_t rows = 0;
  std::vector<TableParts<F>> tables;
  std::vector<Node> nodes;
  std::vector<Split> splits;                  ///< ascending
  std::span<const Group> groups;              ///< by position, then one with position `fingerprints`
  std::span<const std::uint32_t> narrow_ids;  ///< by row, if all ids fit in 32 bits
  std::span<const std::uint64_t> wide_ids;    ///< otherwise
  std::span<const Row<F>> removed;            ///< rows of older levels that no longer count, ascending

  [[nodiscard]] std::uint64_t id(std::uint32_t row) const noexcept {
    return narrow_ids.empty() ? wide_ids[row] : narrow_ids[row];
  }
};

}  // namespace leitong::hamming
