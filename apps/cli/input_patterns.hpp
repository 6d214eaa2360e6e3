// Names of inputs with wildcards, which a shell leaves as they are where they are quoted.
#pragma once

#include <string>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

/// Puts what matches, in byte order, in the place of each name that does not exist and has one of * ? [ in
/// it. * ? and [..] stand for characters of one name, and ** for any number of folders, also none. Names that
/// begin with a dot have to be given that dot. A pattern with ** lists files alone, since folders would bring
/// the same files once more, and does not follow links to folders. Fails with not_found where nothing
/// matches.
[[nodiscard]] Result<void> expand_patterns(std::vector<std::string>& inputs);

/// The same, and "-" where no input is named; fails with invalid_argument where standard input can't be
/// meant.
[[nodiscard]] Result<void> resolve_inputs(std::vector<std::string>& inputs);

}  // namespace leitong::cli
