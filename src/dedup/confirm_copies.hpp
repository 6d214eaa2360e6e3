// Are copies what their hashes say, and in what do they differ beside their units?
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/settle.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Reads all copies and their originals, takes out of `copies` those whose units differ from the original's,
/// returning how many, and says of the others in what they differ else (Copy::form). Brings `copies` into the
/// order of (original, copy).
Result<std::uint64_t> confirm_copies(const DocumentSource& source, RunContext& run,
                                     std::vector<Copy>& copies);

}  // namespace leitong
