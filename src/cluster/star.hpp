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

/// Star clusters: documents in rising `rank` (0 stays first); one that hasn't left stays, and those directly
/// similar to it leave for it. Nobody leaves for a document that it isn't directly similar to, so chains are
/// never merged. `protected_count`: documents below that number are never removed. O(p log p) for p pairs;
/// the result does not depend on the order of `pairs`.
[[nodiscard]] std::vector<Decision> star_clusters(std::uint64_t documents,
                                                  std::span<const VerifiedPair> pairs,
                                                  std::span<const std::uint32_t> rank, DocId protected_count);

/// Connected components by union-find: the smallest document of each document's component.
[[nodiscard]] std::vector<DocId> connected_components(std::uint64_t documents,
                                                      std::span<const VerifiedPair> pairs);

}  // namespace leitong
