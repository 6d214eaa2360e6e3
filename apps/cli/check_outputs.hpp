// What a command writes, held against what it reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

/// An output that was asked for, by the flag that did; without a name it wasn't.
struct NamedOutput {
  std::string_view flag;
  std::string name;
};

/// Refuses, before anything is read or written: standard input named twice; an output that is an input, by
/// whatever name (device and inode decide, also those of standard input and output), or that lies in an input
/// folder and would be read; two outputs in one place. A folder as output may neither hold an input nor lie
/// in one.
[[nodiscard]] Result<void> check_outputs(const std::vector<NamedOutput>& outputs,
                                         const std::vector<std::string>& inputs);

/// Refuses compressed names of files that programs map later.
[[nodiscard]] Result<void> check_mapped(const NamedOutput& output);

}  // namespace leitong::cli
