// Checks the outputs of a command against its inputs.
#pragma once

#include <string>
#include <vector>

#include "job/separate_outputs.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// check_separate() for outputs named by their flags; also refuses standard input that is named twice.
[[nodiscard]] Result<void> check_outputs(const std::vector<NamedOutput>& outputs,
                                         const std::vector<std::string>& inputs);

/// Refuses compressed names for files that programs map later.
[[nodiscard]] Result<void> check_mapped(const NamedOutput& output);

}  // namespace leitong::cli
