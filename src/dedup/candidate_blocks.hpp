// Candidates that wait on disk until the units of both texts are in memory together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "dedup/kept_units.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Collects candidates by the blocks of their two documents (KeptUnits), 16 bytes each, in memory or on disk.
/// When they are taken out, each block is read once for each other block that it has candidates with, in
/// place of one access to the disk for each candidate.
class CandidateBlocks {
 public:
  /// `units` are all stored, and in a file. Both must outlive this object.
  CandidateBlocks(KeptUnits& units, RunContext& run);

  /// From one thread at a time.
  Result<void> add(std::span<const Candidate> candidates);
  /// Calls `each` for the candidates of every two blocks (by_blocks()). Then there are no candidates.
  using Each = std::function<Result<void>(std::vector<Candidate>)>;
  Result<void> drain(const Each& each);

 private:
  KeptUnits& units_;
  RunContext& run_;
  Partitions partitions_;
  Partitions::Writer writer_;
  unsigned shift_ = 0;
};

}  // namespace leitong
