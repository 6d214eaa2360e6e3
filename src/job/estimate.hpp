// What a run would meet and cost, judged by a sample of its input.
#pragma once

#include "job/run.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// leitong::estimate() of a run.
Result<Estimate> estimate_run(const DedupOptions& options, const Context& context);

}  // namespace leitong
