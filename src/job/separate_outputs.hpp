// Compares what a run writes with what it reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// An output under the name that its user knows; without a path it is not written.
struct NamedOutput {
  std::string what;
  std::string name;
};

/// Refuses, before anything is read or written: an output that is an input under any name (device and inode
/// decide, also for standard input and output), or that is in an input folder and would be read; and two
/// outputs in one place. A folder as output may neither hold an input nor be inside one.
[[nodiscard]] Result<void> check_separate(const std::vector<NamedOutput>& outputs,
                                          const std::vector<std::string>& inputs);

}  // namespace leitong
