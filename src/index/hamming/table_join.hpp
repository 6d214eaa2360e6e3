// One table of a join, from the sources to its edges.
#pragma once

#include <cstdint>

#include "base/huge_array.hpp"
#include "index/hamming/bucket_join.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// One set that is joined with itself, or two that are joined with each other.
template <Fingerprint F>
struct JoinInput {
  const Source<F>& left;
  const Source<F>* right = nullptr;

  [[nodiscard]] std::uint64_t size() const noexcept {
    return left.size() + (right == nullptr ? 0 : right->size());
  }
};

/// Where the tables of a join lay out fingerprints, one after the other.
template <Fingerprint F>
struct TableSpace {
  std::uint64_t most =
      0;  ///< fingerprints that may lie here at once; the sources are read again for the rest
  HugeArray<F> side[2];
};

/// How a table of `size` fingerprints is laid out: the bits that the first pass goes by, and how many more
/// tell buckets apart.
struct TableShape {
  unsigned first_bits = 0;
  unsigned rest_bits = 0;  ///< of a table with a radius; others decide partition by partition
};
template <Fingerprint F>
[[nodiscard]] TableShape table_shape(const Table<F>& table, std::uint64_t size);

/// Writes the edges of one table to `log`. A partition that is larger than the space is a `limit` error. On
/// the threads of the caller's arena; which edges are written doesn't depend on them.
template <Fingerprint F>
Result<CompareFigures> join_table(const JoinInput<F>& input, const TableContext<F>& context,
                                  TableSpace<F>& space, EdgeLog<F>& log);

}  // namespace leitong::hamming
