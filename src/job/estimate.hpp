// What a run would meet and cost, judged by a sample of its input.
#pragma once

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// leitong::estimate() of a run.
Result<Estimate> estimate_run(const InputOptions& input, const FindOptions& find, const Context& context);

}  // namespace leitong
