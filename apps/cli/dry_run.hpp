// `leitong dedup --dry-run`: what would happen.
#pragma once

#include "job/run.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

Result<void> dry_run(const DedupOptions& options, bool json);

}  // namespace leitong::cli
