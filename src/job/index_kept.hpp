// The kept documents of a run as a new online index.
#pragma once

#include <cstdint>

#include "corpus/corpus.hpp"
#include "io/run_context.hpp"
#include "job/outcome.hpp"
#include "leitong/result.hpp"
#include "online/online_index.hpp"

namespace leitong {

struct IndexedDocuments {
  std::uint64_t added = 0;
  std::uint64_t refused = 0;  ///< an earlier one has their id, or no index takes them
};

/// Adds them in the order of the input, each of which stands for itself, since the run has found that no two
/// of them are to be one; what the index learns of templates on the way it keeps.
Result<IndexedDocuments> index_kept(const Corpus& corpus, const Outcome& outcome, online::OnlineIndex& index,
                                    const RunContext& run);

}  // namespace leitong
