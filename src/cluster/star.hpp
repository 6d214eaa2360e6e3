// Verified pairs -> clusters -> kept documents.
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
  DocId kept =
      kNoDocument;  ///< the kept document it left for; itself (or kNoDocument for singles) if it stays
  std::uint32_t pair = UINT32_MAX;  ///< number of the verified pair that removed it, in the store's order
};

/// A question about a pair: what does `stays` lack of `leaves`?
struct OpenLoss {
  DocId leaves = 0;
  DocId stays = 0;
};

/// Who may leave for whom, of similar documents.
struct LeaveRule {
  LossLimits limits = everything_similar();
  /// Of a document whose fate hangs on losses that nobody has asked for, so many are asked for at once, those
  /// of the documents of the least rank.
  std::uint32_t at_once = UINT32_MAX;
  bool asks = true;  ///< false: nobody can be asked, and a loss that is not with the pairs is too much
};

/// What became of documents, and what has to be asked before it is certain.
struct Stars {
  std::vector<Decision> decisions;
  std::vector<OpenLoss> open;  ///< empty: all decisions are certain
};

/// Star clusters: protected documents and then the others go in rising `rank` (0 first); one that hasn't left
/// stays, and those directly similar to it that may leave for it do. Nobody leaves for a document that it
/// isn't directly similar to, so chains are never merged. Losses that aren't with the pairs are asked for,
/// and the decisions are to be made again with them; a fixed number of documents is asked about at once.
/// REQUIRES: rank is a permutation of 0 .. documents - 1. Fails with limit if there are 2^32 - 1 pairs and
/// more. Documents below `protected_count` are never removed. Time: O(d + p log p) for p pairs of d
/// documents. Memory: 13 bytes a document, and 16 a pair that go to disk where the store's would. The ranks
/// are taken by value since their memory is given back before that of the decisions is needed.
Result<Stars> star_clusters(std::uint64_t documents, const PairStore& pairs, std::vector<std::uint32_t> rank,
                            DocId protected_count, const LeaveRule& leaves = {});

/// Connected components: the smallest document of each document's one. O(p log d).
Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs);

}  // namespace leitong
