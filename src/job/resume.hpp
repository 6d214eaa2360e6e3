// The conditions on which the stages of a run depend, so that a different run does not continue from them: a
// line "name<TAB>value" for each.
#pragma once

#include <cstdint>
#include <string>

#include "corpus/corpus.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"
#include "leitong/trim.hpp"

namespace leitong {

/// The scheme; the settings of what is read and compared and of which documents stay; the limit of memory (0:
/// none), which divides the work into parts; and every file of the input with its size and time. The number
/// of threads and the outputs are not among them, since no stage depends on these. Fails with unsupported,
/// naming it, for an input that a later run cannot read again.
Result<std::string> about_run(const DedupJob& job, const SchemeId& scheme, std::uint64_t memory,
                              const Corpus& corpus);
/// The same for trimming. `base`: a hash of the parts that do not count.
Result<std::string> about_run(const TrimJob& job, std::uint64_t base, std::uint64_t memory,
                              const Corpus& corpus);

}  // namespace leitong
