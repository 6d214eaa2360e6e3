// Decides when a command reads standard input.
#pragma once

#include <string>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

// Standard input is an input like others and is called "-". If no input is named and it is a file, a pipe or
// a socket, it is read. A terminal and a device such as /dev/null, which jobs without a terminal get, are
// read only if "-" is named.

/// Replaces no inputs by "-"; fails with invalid_argument if standard input is not possible.
[[nodiscard]] Result<void> default_to_standard_input(std::vector<std::string>& inputs);
/// The same for the single input of a command.
[[nodiscard]] Result<void> default_to_standard_input(std::string& input);

/// Standard input can be read only once: refuses inputs that name it ("-") twice.
[[nodiscard]] Result<void> check_standard_input(const std::vector<std::string>& inputs);

}  // namespace leitong::cli
