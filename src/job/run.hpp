// The main job: inputs -> verified pairs -> clusters -> outputs.
#pragma once

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Runs what was asked in the context. `input` is the job's, with what only the library adds; `find` is what
/// the job's settings ask of the engine. A memory budget that isn't given grows with the input: 600 bytes a
/// document and 128 MB. After a stop nothing is left of the outputs.
Result<DedupSummary> run_dedup(const DedupJob& job, InputOptions input, const FindOptions& find,
                               const Context& context);

}  // namespace leitong
