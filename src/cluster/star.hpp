// Verified pairs -> clusters -> kept documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "similarity/pair.hpp"

namespace leitong {

/// What became of each document.
struct Decision {
  DocId kept =
      kNoDocument;  ///< the kept document it left for; itself (or kNoDocument for singles) if it stays
  std::uint32_t pair = UINT32_MAX;  ///< index of the verified pair that removed it
};

/// Star clusters: protected documents and then the others go in rising `rank` (0 first); one that hasn't left
/// stays, and those directly similar to it leave for it. Nobody leaves for a document that it isn't directly
/// similar to, so chains are never merged. REQUIRES: rank is a permutation of 0 .. documents - 1; fewer than
/// 2^32 pairs. Documents below `protected_count` are never removed. O(d + p) for p pairs of d documents. What
/// is decided does not depend on the order of `pairs`. The ranks are taken by value since their memory is
/// given back before that of the decisions is needed.
[[nodiscard]] std::vector<Decision> star_clusters(std::uint64_t documents,
                                                  std::span<const VerifiedPair> pairs,
                                                  std::vector<std::uint32_t> rank, DocId protected_count);

/// Connected components by union-find: the smallest document of each document's component. O(d + p log d).
[[nodiscard]] std::vector<DocId> connected_components(std::uint64_t documents,
                                                      std::span<const VerifiedPair> pairs);

}  // namespace leitong
