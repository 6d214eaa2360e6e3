// When a command reads standard input.
#pragma once

#include <string>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

// Standard input is an input like others and is called "-". Where no input is named and it is a file, a pipe
// or a socket, nothing else can be meant. A terminal and a device such as /dev/null, which jobs without a
// terminal get, are read only if "-" says so.

/// Makes "-" of no inputs; fails with invalid_argument where standard input can't be meant.
[[nodiscard]] Result<void> default_to_standard_input(std::vector<std::string>& inputs);
/// The same of the one input of a command.
[[nodiscard]] Result<void> default_to_standard_input(std::string& input);

/// Standard input ends where its first reader has read it: refuses inputs that name it ("-") twice.
[[nodiscard]] Result<void> check_standard_input(const std::vector<std::string>& inputs);

}  // namespace leitong::cli
