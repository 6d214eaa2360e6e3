// What a client of an index on HBase knows beside the texts. What is learned of templates is written by
// commits; each client finds full keys by itself.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "leitong/result.hpp"
#include "online/hbase/link.hpp"
#include "online/state.hpp"

namespace leitong::online {

class HBaseKnowledge {
 public:
  std::shared_mutex mutex;  ///< of what follows
  State state;              ///< full keys and templates

  /// Reads what was learned since the last call.
  Result<void> follow(HBaseLink& link);

 private:
  std::mutex turn_;          // of what follows
  std::uint64_t known_ = 0;  // the latest commit whose templates are in the state
};

}  // namespace leitong::online
