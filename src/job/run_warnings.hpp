// What a reader of the figures of a run should know in addition. It is decided here once; the summary and the
// report each say it in their own words.
#pragma once

#include <vector>

#include "dedup/pair_result.hpp"
#include "leitong/job.hpp"

namespace leitong {

/// The warnings that apply, the most serious first.
[[nodiscard]] std::vector<RunWarning> run_warnings(const DedupSummary& summary, const Audit& audit,
                                                   const DedupJob& job);

}  // namespace leitong
