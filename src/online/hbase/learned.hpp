// What the clients of an index on HBase learn of templates: a list that all of them append to and read. Its
// rows are numbered without gaps. A client that appends has read all rows and puts the next number on the
// condition that it is free, so that no two clients add to the same count without knowing of each other.
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

/// What a client knows of an index beside the texts. Each client finds full keys by itself.
class HBaseKnowledge {
 public:
  std::shared_mutex mutex;  ///< of what follows
  State state;              ///< full keys and templates

  /// Reads the rows since the last call.
  Result<void> follow(HBaseLink& link);
  /// `shared`: for each text the shingles that it shares with other works. They are not learned if other
  /// clients are faster again and again.
  Result<void> learn(HBaseLink& link, const std::vector<std::vector<std::uint32_t>>& shared, StopToken stop);

 private:
  Result<void> follow_in_turn(HBaseLink& link);
  Result<bool> append(HBaseLink& link, const std::vector<std::uint32_t>& shared);

  std::mutex turn_;          // of what follows
  std::uint64_t known_ = 0;  // number of rows that are in the state
};

}  // namespace leitong::online
