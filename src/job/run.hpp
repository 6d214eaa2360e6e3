// The main job: from inputs to verified pairs, clusters and outputs; and its estimate from a sample.
#pragma once

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Runs the job in the context. `input` is that of the job, with the additions that only the library has;
/// `find` is what the job's settings mean for the engine. A memory budget that is not given grows with the
/// input: 600 bytes a document and 128 MB. After a stop no output remains.
Result<DedupSummary> run_dedup(const DedupJob& job, InputOptions input, const FindOptions& find,
                               const Context& context);

/// Implements leitong::estimate(): reads a sample of the input, and tells what a run would find and cost.
Result<Estimate> estimate_run(const InputOptions& input, const FindOptions& find, const Context& context);

}  // namespace leitong
