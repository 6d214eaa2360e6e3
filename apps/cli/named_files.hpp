// The files that a command line names: inputs, with wildcards and standard input, and outputs.
#pragma once

#include <string>
#include <vector>

#include "job/separate_outputs.hpp"
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

/// Replaces each name that does not exist and has one of * ? [ by what it matches, in byte order. * ? and
/// [..] stand for characters of one name, and ** for any number of folders, or none. A name that begins with
/// a dot is only matched by a pattern with this dot. A pattern with ** lists only files, because folders
/// would add the same files again, and does not follow links to folders. Fails with not_found if nothing
/// matches.
[[nodiscard]] Result<void> expand_patterns(std::vector<std::string>& inputs);

/// The same, and "-" if no input is named; fails with invalid_argument if standard input is not possible.
[[nodiscard]] Result<void> resolve_inputs(std::vector<std::string>& inputs);

/// check_separate() for outputs named by their flags; also refuses standard input that is named twice.
[[nodiscard]] Result<void> check_outputs(const std::vector<NamedOutput>& outputs,
                                         const std::vector<std::string>& inputs);

/// Refuses compressed names for files that programs map later.
[[nodiscard]] Result<void> check_mapped(const NamedOutput& output);

}  // namespace leitong::cli
