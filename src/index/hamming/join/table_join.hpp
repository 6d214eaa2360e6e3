// One pass of a join over its sources: finds the edges of the tables that share the pass.
#pragma once

#include <cstdint>

#include "base/huge_array.hpp"
#include "index/hamming/join/bucket_join.hpp"
#include "index/hamming/join/scatter.hpp"
#include "index/hamming/join/table_pass.hpp"
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

/// The space in which the passes of a join lay out fingerprints, one after the other.
template <Fingerprint F>
struct TableSpace {
  std::uint64_t most = 0;  ///< number of fingerprints that fit; the sources are read again for the others
  HugeArray<F> side[2];
};

/// Writes the edges of the tables of one pass to `log`. counts[side] are the counts of the digits of
/// `pass.first`. Fails with limit if a partition is larger than the space. Runs on the threads of the
/// caller's arena; the edges do not depend on them.
template <Fingerprint F>
Result<CompareFigures> join_pass(const JoinInput<F>& input, const JoinContext<F>& context,
                                 const TablePass<F>& pass, std::span<const DigitCounts> counts,
                                 TableSpace<F>& space, EdgeLog<F>& log);

}  // namespace leitong::hamming
