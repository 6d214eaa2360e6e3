// `leitong dedup --dry-run`: what would happen.
#pragma once

#include "job/run.hpp"
#include "leitong/result.hpp"
#include "run_flags.hpp"

namespace leitong::cli {

Result<void> dry_run(const RunFlags& flags, const DedupOptions& options, bool json);

}  // namespace leitong::cli
