// Runs work in a separate process, to measure its peak memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "leitong/result.hpp"

namespace leitong::cli {

struct ChildOutcome {
  std::string output;
  std::uint64_t peak_memory = 0;  ///< bytes resident
};

/// Runs `work` in a child process and returns its result. REQUIRES a process without other threads. Fails
/// with the work's own error, or with io if the child dies.
Result<ChildOutcome> in_child(const std::function<Result<std::string>()>& work);

}  // namespace leitong::cli
