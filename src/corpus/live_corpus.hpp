// A corpus for callers that wait for an answer to each record.
#pragma once

#include <memory>

#include "corpus/corpus.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// As Corpus::open(), but a batch holds the records that have arrived, however few, and the kind and encoding
/// of a pipe are detected from its first bytes.
Result<std::unique_ptr<Corpus>> open_live_corpus(InputOptions options, const RunContext& run);

}  // namespace leitong
