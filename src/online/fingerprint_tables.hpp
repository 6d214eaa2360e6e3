// The tables by which servers find fingerprints (Manku, Jain, Das Sarma 2007, section 3): of distance + m
// blocks at least m are equal, whichever bits differ; so there is a table for each choice of m blocks, whose
// bits are its key.
#pragma once

#include <vector>

namespace leitong::online {

/// Bits [first, end) of a fingerprint.
struct BitRange {
  unsigned first = 0, end = 0;
};
/// The ranges of bits that form the key of a table.
using TableKey = std::vector<BitRange>;

/// `blocks_in_key`: 1 or 2.
[[nodiscard]] inline std::vector<TableKey> tables_of(unsigned bits, unsigned distance,
                                                     unsigned blocks_in_key) {
  const unsigned blocks = distance + blocks_in_key;
  const auto cut = [&](unsigned block) { return block * bits / blocks; };
  std::vector<TableKey> tables;
  for (unsigned a = 0; a < blocks; ++a)
    for (unsigned b = a + 1; b < (blocks_in_key == 2 ? blocks : a + 2); ++b) {
      TableKey& key = tables.emplace_back(TableKey{{cut(a), cut(a + 1)}});
      if (blocks_in_key == 2) key.push_back({cut(b), cut(b + 1)});
    }
  return tables;
}

}  // namespace leitong::online
