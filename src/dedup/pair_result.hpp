// What a search for pairs has found, and how well.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "dedup/near_misses.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/template/stage.hpp"
#include "evaluate/interval.hpp"
#include "leitong/dedup.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "text/page_artifacts.hpp"

namespace leitong {

/// The measured recall of the run: how many true pairs the independent search of the sample found, and how
/// many of these the run had found. Copies are not counted, since they are always found.
struct Audit {
  std::uint64_t sampled_documents = 0;
  std::uint64_t pairs = 0;   ///< true pairs with a sampled document
  std::uint64_t direct = 0;  ///< of these, verified by the run
  std::uint64_t linked = 0;  ///< of these, verified by the run or inside one connected component
  std::uint64_t both_stay =
      0;  ///< of those that the run missed, the ones whose two texts both stay and so could still be removed
  bool all_documents = false;  ///< the sample holds every document
  /// The number of independent pairs that would tell as much if all pairs of one sampled document were found
  /// or missed together (Kish 1965, section 8.2). They depend on each other to a degree that is not known.
  double independent_pairs = 0;

  /// The part of the pairs that was found. REQUIRES pairs.
  [[nodiscard]] double direct_recall() const noexcept {
    return static_cast<double>(direct) / static_cast<double>(pairs);
  }
  /// The interval that holds the recall over all pairs with kConfidence (wilson_interval() of the independent
  /// pairs). It is a single point if all documents were in the sample.
  [[nodiscard]] Interval direct_interval() const noexcept {
    if (pairs == 0) return {};
    if (all_documents) return {direct_recall(), direct_recall()};
    return wilson_interval(direct_recall() * independent_pairs, independent_pairs);
  }
  /// True if certainly more than one pair in a hundred was missed.
  [[nodiscard]] bool misses_many() const noexcept { return are_many(pairs - direct); }
  /// True if of certainly more than one pair in a hundred both texts stay that were missed.
  [[nodiscard]] bool leaves_many() const noexcept { return are_many(both_stay); }

 private:
  [[nodiscard]] bool are_many(std::uint64_t some) const noexcept {
    if (pairs == 0) return false;
    const double share = static_cast<double>(some) / static_cast<double>(pairs);
    return .01 < (all_documents ? share : wilson_interval(share * independent_pairs, independent_pairs).low);
  }
};

/// The measured recall, in the public form.
[[nodiscard]] RecallEstimate recall_of(const Audit& audit) noexcept;

/// The order in which similar documents are preferred.
struct Precedence {
  std::vector<std::uint32_t> rank;  ///< of every document, a permutation: 0 is the best
  DocId protected_count = 0;        ///< documents below are never removed
};
/// Called once when all documents have been read. `paired` marks the documents whose rank matters.
using PrecedenceFn =
    std::function<Result<Precedence>(const DocumentTable& table, const std::vector<bool>& paired)>;
/// Longer texts come first; of texts of one length, the earlier document.
Result<Precedence> longest_first(const DocumentTable& table, const std::vector<bool>& paired);

/// The result of find_pairs().
struct PairResult {
  Folding folding;  ///< how the texts were folded
  DocumentTable table;
  std::unique_ptr<PairStore> pairs;  ///< between originals; lives in the run
  /// Pairs that the rule refuses and the second decision has still to look at. Null when all pairs are
  /// decided, and where templates are not looked for.
  std::unique_ptr<PairStore> aside;
  std::vector<Copy> copies;  ///< sorted by (original, copy), confirmed
  /// True if the copies of an original are not compared with each other, nor with the original. All of them
  /// are similar to the same documents as the original.
  bool copies_apart = false;
  /// Documents that stay because of FindOptions::keep_each, ascending.
  std::vector<DocId> kept_for_value;
  /// For each document: true if it consists of text that many others hold too, so that its pairs must pass
  /// the stricter rule.
  std::vector<bool> common;
  /// The refused pairs that came nearest to the threshold, nearest first.
  std::vector<RefusedPair> near_misses;
  std::uint64_t candidates = 0;  ///< decided pairs
  Settlement settlement;
  /// Documents of equal content hash that turned out to differ (fewer than one is expected in 1e9).
  std::uint64_t hash_collisions = 0;
  std::uint64_t text_bytes = 0;
  PageArtifactCounts artifacts;
  /// Documents that have nothing that the method looks at, copies not counted. Only copies of them were
  /// looked for.
  std::uint64_t without_signature = 0;
  Audit audit;
  MethodFigures figures;
  TemplateFigures templates;
  /// A pair of FindOptions::asked that reached the second decision.
  struct Asked {
    bool accepted = false;
    VerifiedPair pair;
  };
  std::vector<Asked> asked;
  VectorCounts vectors;
  bool has_all_losses = false;
  std::unique_ptr<TemplateMarks> marks;  ///< the templates; null if they were not looked for
  std::vector<std::pair<std::string, double>> stage_seconds;

  /// Marks the documents that are in a pair, are copies or have copies.
  Result<std::vector<bool>> paired() const;
};

}  // namespace leitong
