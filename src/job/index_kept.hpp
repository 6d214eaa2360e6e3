// Makes a new online index of the kept documents of a run.
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
  std::uint64_t refused = 0;  ///< documents whose id an earlier one has, or that no index accepts
};

/// Adds them in input order, each as a text that represents itself, since the run has found that no two of
/// them are duplicates. The index keeps what it learns about templates while they are added.
Result<IndexedDocuments> index_kept(const Corpus& corpus, const Outcome& outcome, online::OnlineIndex& index,
                                    const RunContext& run);

}  // namespace leitong
