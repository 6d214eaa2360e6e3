// What is said of documents that went through an index.
#pragma once

#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// Prints the counts, and a warning of records that were left out. Fails if nothing was read, or if inputs
/// were truncated and not `allow_truncated`.
Result<void> finish_index_run(const online::FileSummary& summary, bool allow_truncated);

}  // namespace leitong::cli
