// How often kept records are written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// By the size of a record's cluster.
class Resampling {
 public:
  /// Reads DedupOutputs::resample. Fails with invalid_argument.
  static Result<Resampling> parse(const std::vector<std::string>& steps);

  /// Is every record written once?
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  /// How often a record is written whose cluster has so many documents.
  [[nodiscard]] std::uint32_t times(std::uint32_t cluster_size) const noexcept;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;  // from so many documents on, so many times
};

}  // namespace leitong
