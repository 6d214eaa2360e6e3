// Runs the pipeline with progress, summary and warnings, as `dedup` and `pairs` do, or only says what would
// happen.
#pragma once

#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "run_flags.hpp"

namespace leitong::cli {

/// `json`: the summary is also printed to stdout as one object. Fails at the end, with all outputs in place,
/// if no record was a document, or if input was truncated and this is not allowed.
Result<void> run_pipeline(const RunFlags& flags, const DedupJob& job, bool json);

/// `leitong dedup --dry-run`: prints what would happen.
Result<void> dry_run(const RunFlags& flags, const DedupJob& job, bool json);

}  // namespace leitong::cli
