// What somebody who reads the figures of a run ought to know besides: decided once, said by the summary and
// by the report in words of their own.
#pragma once

#include <vector>

#include "dedup/find_pairs.hpp"
#include "leitong/job.hpp"

namespace leitong {

/// Those that hold, the gravest first.
[[nodiscard]] std::vector<RunWarning> run_warnings(const DedupSummary& summary, const Audit& audit,
                                                   const DedupJob& job);

}  // namespace leitong
