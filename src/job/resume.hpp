// What the stages of a run depend on, so that another run does not go on from them.
#pragma once

#include <cstdint>
#include <string>

#include "corpus/corpus.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong {

/// A line "name<TAB>value" for each thing: the scheme, the settings of what is read and compared and of
/// who stays, the limit of memory (0: none), which divides the work into parts, and every file of the input
/// with its size and time. Not the number of threads, on which nothing depends, nor the outputs. Fails with
/// unsupported, naming it, for an input that no later run can read again.
Result<std::string> about_run(const DedupJob& job, const SchemeId& scheme, std::uint64_t memory,
                              const Corpus& corpus);

}  // namespace leitong
