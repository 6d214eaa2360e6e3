// Decides again from stored pairs which documents stay, at another threshold and without the texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/pair.hpp"
#include "cluster/settle.hpp"
#include "cluster/stored_pairs.hpp"
#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct ReclusterOptions {
  std::string pairs;  ///< a file of pairs (cluster/pairs_file.hpp), or "-"
  StoredMeasure measure;
  double threshold = 0;       ///< pairs below it do not count
  Keep keep = Keep::longest;  ///< which document of a cluster stays: longest, first or covering
  std::uint64_t references =
      0;  ///< the first documents of the run that found the pairs, which are never removed
  /// How much text a removal may lose. If it is not set: the default if the file holds losses, otherwise
  /// everything.
  std::optional<LossLimits> remove = {};
  NumberUnits numbers = NumberUnits::same;  ///< in the run that found the pairs
};

struct Reclustered {
  StoredPairs stored;
  std::vector<VerifiedPair> pairs;  ///< by the document numbers of the settlement
  Settlement settlement;
  /// The numbers 1, 2, .. of the clusters and connected components of at least two documents; 0 for documents
  /// that are alone.
  std::vector<std::uint32_t> cluster, component;
  std::uint64_t removed = 0, clusters = 0, components = 0;
  std::uint64_t relatives = 0;     ///< similar documents that stay because of what would be lost
  std::vector<PairLosses> losses;  ///< for each pair; empty if losses do not decide

  /// The pair that removed a document, or the one with the text that it equals; null if that stays.
  [[nodiscard]] const VerifiedPair* removal_pair(DocId document) const noexcept;
  /// What that pair lost, if losses decide and a pair removed the document.
  [[nodiscard]] std::optional<Loss> removal_loss(DocId document) const noexcept;
  /// That pair, or for a copy the pair of two copies. REQUIRES that the document left.
  [[nodiscard]] VerifiedPair why_removed(DocId document) const;
  std::vector<DocId> original;  ///< for each document the first one of which it is a copy
  std::optional<CopyForms> forms;
};

/// Keeps all documents and pairs of the file in memory. Fails with invalid_argument if losses should decide
/// and the file holds none.
Result<Reclustered> recluster(const ReclusterOptions& options, const Context& context);

/// Writes the tables of removed documents, clusters and components and the report, all or nothing. A row of a
/// removed document is that of a run (docs/format.md) without `place` and `method`, which a file of pairs
/// does not hold, and without `reason` if the file has none.
Result<void> write_reclustered(const ReclusterOptions& options, const Reclustered& result,
                               const DedupOutputs& outputs, const Context& context);

}  // namespace leitong
