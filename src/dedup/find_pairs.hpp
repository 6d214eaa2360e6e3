// From texts to clusters: the stages that know nothing of files and outputs.
#pragma once

#include "corpus/documents.hpp"
#include "dedup/find_options.hpp"
#include "dedup/pair_result.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

class Verifier;

/// Decides all pairs a second time, with what `stage` has learned. Releases `found.aside`.
Result<void> decide_again(TemplateStage& stage, Verifier& verifier, RunContext& run, PairResult& found);

/// Runs the stages on the threads of the calling tbb arena (on_threads). From then on the source folds texts
/// as the options say. The result must not outlive `run`.
Result<PairResult> find_pairs(DocumentSource& source, const FindOptions& options,
                              const PrecedenceFn& precedence, RunContext& run);

}  // namespace leitong
