// What a run writes, held against what it reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// An output, called in messages what its user calls it; without a name it isn't written.
struct NamedOutput {
  std::string what;
  std::string name;
};

/// Refuses, before anything is read or written: an output that is an input, by whatever name (device and
/// inode decide, also those of standard input and output), or that lies in an input folder and would be read;
/// two outputs in one place. A folder as output may neither hold an input nor lie in one.
[[nodiscard]] Result<void> check_separate(const std::vector<NamedOutput>& outputs,
                                          const std::vector<std::string>& inputs);

}  // namespace leitong
