// Makes a damaged index whole from the texts that can be read.
#pragma once

#include <filesystem>

#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// Builds the postings of the index again, and its store if parts of it are unreadable. It may be interrupted
/// and repeated. As leitong/online.hpp promises of repair().
Result<void> repair_index(const Context& context, const std::filesystem::path& place);

}  // namespace leitong::online
