// Expands names of inputs with wildcards, which a shell leaves unchanged if they are quoted.
#pragma once

#include <string>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

/// Replaces each name that does not exist and has one of * ? [ by what it matches, in byte order. * ? and
/// [..] stand for characters of one name, and ** for any number of folders, or none. A name that begins with
/// a dot is only matched by a pattern with this dot. A pattern with ** lists only files, because folders
/// would add the same files again, and does not follow links to folders. Fails with not_found if nothing
/// matches.
[[nodiscard]] Result<void> expand_patterns(std::vector<std::string>& inputs);

/// The same, and "-" if no input is named; fails with invalid_argument if standard input is not possible.
[[nodiscard]] Result<void> resolve_inputs(std::vector<std::string>& inputs);

}  // namespace leitong::cli
