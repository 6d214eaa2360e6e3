// Estimates from a sample of the input what a run would find and cost.
#pragma once

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Implements leitong::estimate() for a run.
Result<Estimate> estimate_run(const InputOptions& input, const FindOptions& find, const Context& context);

}  // namespace leitong
