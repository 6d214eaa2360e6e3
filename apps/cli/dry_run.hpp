// `leitong dedup --dry-run`: what would happen.
#pragma once

#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "run_flags.hpp"

namespace leitong::cli {

Result<void> dry_run(const RunFlags& flags, const DedupJob& job, bool json);

}  // namespace leitong::cli
