// text -> .. -> clusters: the stages that know nothing of files and outputs.
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
#include "corpus/documents.hpp"
#include "dedup/document_vectors.hpp"
#include "dedup/near_misses.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/template/stage.hpp"
#include "evaluate/interval.hpp"
#include "io/artifact_folder.hpp"
#include "io/run_context.hpp"
#include "leitong/dedup.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"
#include "text/page_artifacts.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

class Verifier;

/// Recall of the run, measured: pairs within the rule that the sample found by its own road, and how many of
/// these the run had found. Copies are not counted: they are always found.
struct Audit {
  std::uint64_t sampled_documents = 0;
  std::uint64_t pairs = 0;   ///< true pairs with a sampled document
  std::uint64_t direct = 0;  ///< of these, verified by the run
  std::uint64_t linked = 0;  ///< of these, verified or in one connected component
  std::uint64_t both_stay =
      0;  ///< of those that the run missed, the ones whose two texts both stay: what is left to remove
  bool all_documents = false;  ///< nothing was left out of the sample
  /// So many independent pairs would tell as much, if all pairs of one sampled document were found or missed
  /// together (Kish 1965, section 8.2): their fate hangs together, and how much isn't known.
  double independent_pairs = 0;

  /// The part that was found, where there are pairs.
  [[nodiscard]] double direct_recall() const noexcept {
    return static_cast<double>(direct) / static_cast<double>(pairs);
  }
  /// Where the part of all pairs lies, at kConfidence (wilson_interval() of the independent pairs). No wider
  /// than a point if all documents were in the sample.
  [[nodiscard]] Interval direct_interval() const noexcept {
    if (pairs == 0) return {};
    if (all_documents) return {direct_recall(), direct_recall()};
    return wilson_interval(direct_recall() * independent_pairs, independent_pairs);
  }
  /// Has the sample shrunk to a handful, since its documents hold what all others hold?
  [[nodiscard]] bool is_handful() const noexcept { return !all_documents && sampled_documents < 100; }
  /// More than one pair in a hundred.
  [[nodiscard]] bool misses_many() const noexcept { return 100 * (pairs - direct) > pairs; }
  [[nodiscard]] bool leaves_many() const noexcept { return 100 * both_stay > pairs; }
};

struct FindOptions {
  std::string method = "default";
  std::vector<std::string> params;  ///< of the method, "name=value"
  Rule rule;  ///< the default one leaves the decision to a method with a threshold (rule_in_force.hpp)
  bool verify = true;
  /// Has no effect without `verify`, or where the rule isn't about shingles of five units: no others are
  /// sampled.
  bool audit = true;
  TemplateText templates = TemplateText::automatic;  ///< similarity/template_rule.hpp
  /// Where finished stages are kept and an earlier run's are found; may be null.
  const ArtifactFolder* stages = nullptr;
  /// Called once, when all documents have been read and before the search, which takes longer; its failure
  /// ends the run. May be empty.
  std::function<Result<void>()> scanned;
  /// The site of every document, asked once when all have been read. May be empty: then no site is known, and
  /// a template of fewer than TemplateRule::kFamilies families is none.
  std::function<Result<Sites>()> sites;
  /// The vectors of all documents, asked once when all have been read. Empty: there are none.
  std::function<Result<DocumentVectors>()> vectors;
  double cosine = 0;                                 ///< with `vectors`: least cosine of similar documents
  VectorSearch vector_search = VectorSearch::exact;  ///< the same: how pairs are found
  /// Pairs (a < b) that are decided whether or not the search leads to them, where templates are looked for.
  std::vector<std::pair<DocId, DocId>> asked;
  ModelChoice dictionaries;  ///< of methods that look at words; jieba's unless something is chosen
  Folding folding;           ///< what counts of the texts
  /// Of all pairs both losses, for those who decide later; else those alone that decide who leaves.
  bool all_losses = false;
  LossLimits remove =
      everything_similar();  ///< what may be lost of a text that leaves; no others without `verify`
  /// The documents that cover most of the others come first (cluster/covering.hpp); those that are asked for
  /// say who is compared with whom before. REQUIRES asks_for_losses(remove).
  bool covering = false;
};

/// Who stays, of similar documents.
struct Precedence {
  std::vector<std::uint32_t> rank;  ///< of every document, a permutation: 0 is the best
  DocId protected_count = 0;        ///< documents below are never removed
};
/// Asked once, when all documents have been read; `paired` marks those whose rank matters.
using PrecedenceFn =
    std::function<Result<Precedence>(const DocumentTable& table, const std::vector<bool>& paired)>;
/// The longest first, of equals the earlier.
Result<Precedence> longest_first(const DocumentTable& table, const std::vector<bool>& paired);

/// What was found.
struct PairResult {
  Folding folding;  ///< of the texts
  DocumentTable table;
  std::unique_ptr<PairStore> pairs;  ///< between originals; lives in the run
  /// What the rule refuses and the second decision has still to look at; null when all is decided, and where
  /// templates aren't looked for.
  std::unique_ptr<PairStore> aside;
  std::vector<Copy> copies;  ///< by (original, copy), confirmed
  /// Is a document made of what many others hold too, so that its pairs must pass the stricter rule?
  std::vector<bool> common;
  std::vector<RefusedPair> near_misses;  ///< the refused pairs that came nearest to the rule, nearest first
  std::uint64_t candidates = 0;          ///< decided pairs
  Settlement settlement;
  /// Documents of equal content hash that turned out to differ (expected: none in 1e9).
  std::uint64_t hash_collisions = 0;
  std::uint64_t text_bytes = 0;
  PageArtifactCounts artifacts;
  /// Documents that hold nothing the method goes by, copies aside: nothing but copies of them was looked for.
  std::uint64_t without_signature = 0;
  Audit audit;
  MethodFigures figures;
  TemplateFigures templates;
  /// Of FindOptions::asked those pairs that came so far as to be decided a second time.
  struct Asked {
    bool accepted = false;
    VerifiedPair pair;
  };
  std::vector<Asked> asked;
  VectorCounts vectors;
  bool has_all_losses = false;
  std::unique_ptr<TemplateMarks> marks;  ///< the templates; null where nobody looked for them
  std::vector<std::pair<std::string, double>> stage_seconds;

  /// Marks the documents that occur in a pair or are copies or have them.
  Result<std::vector<bool>> paired() const;
};

/// Decides all pairs a second time, by what `stage` has learned; `found.aside` is gone then.
Result<void> decide_again(TemplateStage& stage, Verifier& verifier, RunContext& run, PairResult& found);

/// Runs the stages on the threads of the calling tbb arena (on_threads); the source folds by the options from
/// then on. What is found must not outlive `run`.
Result<PairResult> find_pairs(DocumentSource& source, const FindOptions& options,
                              const PrecedenceFn& precedence, RunContext& run);

}  // namespace leitong
