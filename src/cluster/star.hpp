// Turns verified pairs into clusters and kept documents.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pair.hpp"
#include "cluster/pair_store.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {

/// What became of each document.
struct Decision {
  /// The kept document for which it left; itself (or kNoDocument for singles) if it stays.
  DocId kept = kNoDocument;
  std::uint32_t pair = UINT32_MAX;  ///< number of the verified pair that removed it, in the store's order
};

/// A question about a pair: what does `stays` lack of `leaves`?
struct OpenLoss {
  DocId leaves = 0;
  DocId stays = 0;
};

/// Decides which of two similar documents may leave for the other.
struct LeaveRule {
  LossLimits limits = everything_similar();
  /// If the decision about a document depends on losses that are not computed, so many losses are requested
  /// at once, those of the documents of lowest rank first.
  std::uint32_t at_once = UINT32_MAX;
  bool asks = true;  ///< false: a loss that is not stored with the pairs counts as too much
};

/// The decisions about documents, and the losses that are needed before these are certain.
struct Stars {
  std::vector<Decision> decisions;
  std::vector<OpenLoss> open;  ///< empty: all decisions are certain
};

/// Star clusters: protected documents and then the others are visited by ascending `rank` (0 first). A
/// document that has not left stays, and the documents that are directly similar to it and may leave for it
/// do. No document leaves for one that it is not directly similar to, so chains are never merged. Losses that
/// are not stored with the pairs are requested, a limited number for each document, and the decisions have to
/// be made again with them. REQUIRES: rank is a permutation of 0 .. documents - 1. Fails with limit if there
/// are 2^32 - 1 pairs or more. Documents below `protected_count` are never removed. Time: O(d + p log p) for
/// p pairs of d documents. Memory: 13 bytes a document, and 16 a pair that go to disk together with the
/// store. The ranks are taken by value, because their memory is freed before that of the decisions is needed.
Result<Stars> star_clusters(std::uint64_t documents, const PairStore& pairs, std::vector<std::uint32_t> rank,
                            DocId protected_count, const LeaveRule& leaves = {});

/// Connected components: for each document the smallest one of its component. O(p log d).
Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs);

}  // namespace leitong
