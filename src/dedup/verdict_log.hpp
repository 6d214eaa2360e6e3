// Stores verified pairs so that they survive a killed process: verification takes hours, and its verdicts
// depend only on the pairs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/candidates.hpp"
#include "dedup/near_misses.hpp"
#include "io/shard_log.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The verdicts about a list of candidates.
struct Verdicts {
  std::vector<VerifiedPair> accepted;  ///< in the order in which they were decided
  std::vector<VerifiedPair> aside;     ///< those with PairStanding::aside, in the same order
  std::vector<RefusedPair> refused;    ///< the refused ones nearest to the threshold, nearest first
};

/// Stores verdicts by their candidates. For one thread.
class VerdictLog {
 public:
  /// `folder` must outlive the log.
  static Result<VerdictLog> open(const ArtifactFolder& folder);

  /// If an earlier process decided exactly these candidates, fills `verdicts` and returns true.
  /// O(candidates).
  bool find(std::span<const Candidate> candidates, Verdicts& verdicts) const;
  Result<void> add(std::span<const Candidate> candidates, const Verdicts& verdicts);
  Result<void> flush() { return log_.flush(); }

 private:
  using Key = std::array<std::uint64_t, 2>;
  explicit VerdictLog(ShardLog log);
  static Key key_of(std::span<const Candidate> candidates);

  ShardLog log_;
  std::map<Key, std::size_t> records_;
};

}  // namespace leitong
