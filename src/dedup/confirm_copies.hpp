// Checks that documents with equal hashes are copies, and finds in what they differ apart from their units.
#pragma once

#include <cstdint>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/settle.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Reads all copies and their originals. Removes from `copies` those whose units differ from the original's
/// and returns their number; records for the others in what else they differ (Copy::form). Sorts `copies` by
/// (original, copy). Reads the input in its order, once for as many texts as memory has room for.
Result<std::uint64_t> confirm_copies(const DocumentSource& source, const DocumentTable& table,
                                     RunContext& run, std::vector<Copy>& copies);

}  // namespace leitong
