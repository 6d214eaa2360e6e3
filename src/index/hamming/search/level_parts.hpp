// What a level consists of: an immutable set of rows, arranged for search. Where the bytes lie, in memory or
// in a mapped file, is no concern of those who read these parts.
//
// Distinct fingerprints are stored once in each table; the place in the first table is a fingerprint's
// position. Rows are sorted by position and then by id, so that ids are one array, and only fingerprints with
// several rows take more.
//
// A bucket that holds too many entries has tables of its own, which group by other bits: they form a node.
// Node 0 is the level's own tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/row.hpp"
#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

template <Fingerprint F>
struct TableParts {
  TableShape<F> shape;
  std::span<const std::uint32_t> directory;  ///< 2^key_bits + 1: where each bucket begins, and the end
  const std::uint8_t* entries = nullptr;  ///< values, packed, by bucket and rising; kEntrySlack bytes behind
};

/// Tables [first_table, first_table + tables).
struct Node {
  std::uint32_t first_table = 0, tables = 0;
  friend constexpr bool operator==(const Node&, const Node&) noexcept = default;
};

/// The bucket `key` of `table` is searched by the tables of `node`.
struct Split {
  std::uint32_t table = 0, key = 0, node = 0;
  friend constexpr auto operator<=>(const Split&, const Split&) noexcept = default;
};

/// The fingerprint at `position` has several rows, and those before it have `surplus` rows more than one
/// each.
struct Group {
  std::uint32_t position = 0, surplus = 0;
};

template <Fingerprint F>
struct LevelParts {
  unsigned distance = 0;           ///< the largest one that can be searched
  std::uint32_t fingerprints = 0;  ///< distinct ones
  std::uint32_t rows = 0;
  std::vector<TableParts<F>> tables;
  std::vector<Node> nodes;
  std::vector<Split> splits;                  ///< rising
  std::span<const Group> groups;              ///< by position, then one with position `fingerprints`
  std::span<const std::uint32_t> narrow_ids;  ///< by row, if all ids fit
  std::span<const std::uint64_t> wide_ids;    ///< otherwise
  std::span<const Row<F>> removed;            ///< rows of older levels that don't count any more, rising

  [[nodiscard]] std::uint64_t id(std::uint32_t row) const noexcept {
    return narrow_ids.empty() ? wide_ids[row] : narrow_ids[row];
  }
};

}  // namespace leitong::hamming
