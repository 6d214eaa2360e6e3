// Turns verified pairs into clusters and kept documents.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/pair.hpp"
#include "cluster/pair_store.hpp"
#include "io/partitions.hpp"
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
  std::uint32_t pair = 0;  ///< its number, in the store's order
};

/// Star clusters: protected documents and then the others are visited by ascending rank (0 first). A document
/// that has not left stays, and the documents that are directly similar to it and may leave for it do. No
/// document leaves for one that it is not directly similar to, so chains are never merged. Documents below
/// `protected_count` are never removed.
///
/// Where losses decide who may leave, the decisions are made in rounds: decide() asks for losses, and each
/// round looks only at pairs on which something still depends.
///
/// Time: O(d + p log p) for p pairs of d documents, and O(d) for each further round beside its pairs.
/// Memory: 8 bytes a document, 5 more while it decides, and 16 a pair that go to disk together with the
/// store.
class StarClusters {
 public:
  /// `asks`: false: a loss that is not stored with the pairs counts as too much.
  StarClusters(std::uint64_t documents, const PairStore& pairs, DocId protected_count,
               const LossLimits& limits = everything_similar(), bool asks = true);

  /// Lists the pairs; called first. REQUIRES: `rank` is a permutation of 0 .. documents - 1. It is taken by
  /// value, because its memory is freed before that of the decisions is needed. Fails with limit if there are
  /// 2^32 - 1 pairs or more.
  Result<void> list(std::vector<std::uint32_t> rank);

  /// Decides as far as the losses that are known make it certain. Returns the losses that other decisions
  /// need next, at most `at_once` for each document; none: all decisions are certain. Each is to be given to
  /// learn() before the next call.
  Result<std::vector<OpenLoss>> decide(std::uint32_t at_once = UINT32_MAX);
  /// Tells a loss that decide() has asked for.
  void learn(std::uint32_t pair, const Loss& loss);

  [[nodiscard]] std::vector<Decision> take_decisions() noexcept { return std::move(decisions_); }

 private:
  std::uint64_t documents_;
  const PairStore& pairs_;
  DocId protected_count_;
  LossLimits limits_;
  bool asks_;
  Partitions at_first_;  // the pairs on which a decision depends
  // For each pair, if losses decide. Of an unknown one `leaves_` says that it leaves whatever its loss is.
  std::vector<bool> known_, leaves_;
  std::vector<Decision> decisions_;
};

/// The decisions if everything similar may leave.
Result<std::vector<Decision>> star_clusters(std::uint64_t documents, const PairStore& pairs,
                                            std::vector<std::uint32_t> rank, DocId protected_count);

/// Connected components: for each document the smallest one of its component. O(p log d).
Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs);

}  // namespace leitong
