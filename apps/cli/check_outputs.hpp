// What a command writes, held against what it reads.
#pragma once

#include <string>
#include <vector>

#include "job/separate_outputs.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// check_separate() for outputs that are called as their flags are; refuses standard input named twice, too.
[[nodiscard]] Result<void> check_outputs(const std::vector<NamedOutput>& outputs,
                                         const std::vector<std::string>& inputs);

/// Refuses compressed names of files that programs map later.
[[nodiscard]] Result<void> check_mapped(const NamedOutput& output);

}  // namespace leitong::cli
