// Stored pairs -> who stays: the decision again, at another threshold, without the texts.
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
  double threshold = 0;       ///< pairs below it don't count
  Keep keep = Keep::longest;  ///< of a cluster: longest, first or covering
  std::uint64_t references =
      0;  ///< the first so many documents of the run that found the pairs: never removed
  /// What may be lost of a text that leaves. None: the default where the file holds losses, else everything.
  std::optional<LossLimits> remove = {};
  NumberUnits numbers = NumberUnits::same;  ///< in the run that found the pairs
};

struct Reclustered {
  StoredPairs stored;
  std::vector<VerifiedPair> pairs;  ///< as the settlement numbers them
  Settlement settlement;
  /// Numbers 1, 2, .. of the clusters and connected components of two documents and more; 0 for documents
  /// that are alone.
  std::vector<std::uint32_t> cluster, component;
  std::uint64_t removed = 0, clusters = 0, components = 0;
  std::uint64_t relatives = 0;     ///< similar documents that stay for what would be lost
  std::vector<PairLosses> losses;  ///< of each pair; empty where they don't decide

  /// The pair that removed a document, or the text that it equals; null where that stays.
  [[nodiscard]] const VerifiedPair* removal_pair(DocId document) const noexcept;
  /// What was lost by that, if losses decide and a pair removed it.
  [[nodiscard]] std::optional<Loss> removal_loss(DocId document) const noexcept;
  /// That pair, or what is said of two copies. REQUIRES a document that left.
  [[nodiscard]] VerifiedPair why_removed(DocId document) const;
  std::vector<DocId> original;  ///< of each document: the first that it is a copy of
  std::optional<CopyForms> forms;
};

/// Holds all documents and pairs that the file names in memory. Fails with invalid_argument if losses are to
/// decide and the file holds none.
Result<Reclustered> recluster(const ReclusterOptions& options, const Context& context);

/// Writes the tables of removed documents, clusters and components and the report, all or nothing. A removed
/// row is that of a run (docs/format.md) without `place` and `method`, which no file of pairs holds, and
/// without `reason` where the file has none.
Result<void> write_reclustered(const ReclusterOptions& options, const Reclustered& result,
                               const DedupOutputs& outputs, const Context& context);

}  // namespace leitong
