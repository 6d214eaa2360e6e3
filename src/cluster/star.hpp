// Verified pairs -> clusters -> kept documents.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pair.hpp"
#include "cluster/pair_store.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What became of each document.
struct Decision {
  DocId kept =
      kNoDocument;  ///< the kept document it left for; itself (or kNoDocument for singles) if it stays
  std::uint32_t pair = UINT32_MAX;  ///< number of the verified pair that removed it, in the store's order
};

/// Star clusters: protected documents and then the others go in rising `rank` (0 first); one that hasn't left
/// stays, and those directly similar to it leave for it. Nobody leaves for a document that it isn't directly
/// similar to, so chains are never merged. REQUIRES: rank is a permutation of 0 .. documents - 1. Fails with
/// limit if there are 2^32 - 1 pairs and more. Documents below `protected_count` are never removed. Time: O(d
/// + p log p) for p pairs of d documents. Memory: 12 bytes a document, and 16 a pair that go to disk where
/// the store's would. The ranks are taken by value since their memory is given back before that of the
/// decisions is needed.
Result<std::vector<Decision>> star_clusters(std::uint64_t documents, const PairStore& pairs,
                                            std::vector<std::uint32_t> rank, DocId protected_count);

/// Connected components: the smallest document of each document's one. O(p log d).
Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs);

}  // namespace leitong
