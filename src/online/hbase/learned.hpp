// What the clients of an index on HBase learn of templates: a list that all of them append to and read. Its
// rows are numbered without gaps. Who appends has read all that is there, and puts the next number on the
// condition that nobody has: so no two add to the same count without knowing of each other.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "base/stop.hpp"
#include "leitong/result.hpp"
#include "online/hbase/link.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// What a client knows of an index beside the texts. Which keys are full, each client sees by itself.
class HBaseKnowledge {
 public:
  std::shared_mutex mutex;  ///< of what follows
  State state;              ///< full keys and templates

  /// Reads what came since the last time.
  Result<void> follow(HBaseLink& link);
  /// Of each text the shingles that it shares with other works. Where others append again and again, these
  /// are not learned.
  Result<void> learn(HBaseLink& link, const std::vector<std::vector<std::uint32_t>>& shared, StopToken stop);

 private:
  Result<void> follow_in_turn(HBaseLink& link);
  Result<bool> append(HBaseLink& link, const std::vector<std::uint32_t>& shared);

  std::mutex turn_;          // of what follows
  std::uint64_t known_ = 0;  // rows that are in the state
};

}  // namespace leitong::online
