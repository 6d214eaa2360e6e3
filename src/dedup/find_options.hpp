// What is asked of a search for pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/pair.hpp"
#include "corpus/documents.hpp"
#include "dedup/field_groups.hpp"
#include "dedup/template/stage.hpp"
#include "io/artifact_folder.hpp"
#include "io/vector_rows.hpp"
#include "leitong/dedup.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// The vectors of all documents of a run, which the user brings as a second criterion of similarity.
struct DocumentVectors {
  std::unique_ptr<VectorRows> rows;  ///< in the order of the documents
  /// For every row that belongs to no document (because its record cannot be one) the number of documents
  /// before it, ascending.
  std::vector<DocId> gaps;
  /// What is wrong with the first unusable row, if the reader of the rows knows more about it than the
  /// numbers tell.
  std::string first_fault;
};

struct FindOptions {
  std::string method = "default";
  std::vector<std::string> params;  ///< of the method, "name=value"
  Rule rule;  ///< the default one leaves the decision to a method with a threshold (rule_in_force.hpp)
  bool verify = true;
  /// Has no effect without `verify`, or where the rule is not about shingles of five units, since only such
  /// shingles are sampled.
  bool audit = true;
  std::size_t recall_sample = 0;  ///< texts in the sample; 0: as many as tell the recall well enough
  TemplateText templates = TemplateText::automatic;  ///< similarity/template_rule.hpp
  /// Where finished stages are stored and those of an earlier run are found; may be null.
  const ArtifactFolder* stages = nullptr;
  /// Called once when all documents have been read, before the search, which takes longer. Its failure ends
  /// the run. May be empty.
  std::function<Result<void>()> scanned;
  /// Returns the site of every document. Called once when all documents have been read. May be empty: then no
  /// site is known, and only what at least TemplateRule::kFamilies families hold can be a template.
  std::function<Result<Sites>()> sites;
  /// Shingles, ascending, that are template in every document; only where templates are looked for.
  std::vector<std::uint32_t> base = {};
  /// Returns the vectors of all documents. Called once when all documents have been read. Empty if there are
  /// no vectors.
  std::function<Result<DocumentVectors>()> vectors;
  /// Returns which documents may be compared. Called once when all documents have been read. May be empty:
  /// then all may be.
  std::function<Result<FieldGroups>()> groups;
  /// Returns a number for the value of each document, of which one of each cluster stays for every number.
  /// Called once when all documents have been read. May be empty.
  std::function<Result<std::vector<std::uint32_t>>()> keep_each;
  double cosine = 0;                                 ///< with `vectors`: least cosine of similar documents
  VectorSearch vector_search = VectorSearch::exact;  ///< with `vectors`: how pairs are found
  /// Pairs (a < b) that are decided even if the search does not lead to them, where templates are looked for.
  std::vector<std::pair<DocId, DocId>> asked;
  ModelChoice dictionaries;  ///< for methods that look at words; jieba's unless another model is chosen
  Folding folding;           ///< what counts when texts are compared
  /// True: every pair gets both losses, for a later decision. False: only the losses are computed that decide
  /// which documents leave.
  bool all_losses = false;
  /// How much text a removal may lose; only the default has an effect without `verify`.
  LossLimits remove = everything_similar();
  /// True: the documents that cover most of the others come first in the end (cluster/covering.hpp). Until
  /// the losses are known, the requested precedence decides which documents are compared. REQUIRES
  /// asks_for_losses(remove).
  bool covering = false;
};

/// What a caller's settings mean for the engine. Fails with invalid_argument for settings that contradict
/// each other (check_settings()), and with unsupported for an approximate search in a build without it. Which
/// document of a cluster stays is not decided by the engine, so it is not translated here.
Result<FindOptions> find_options(const DedupSettings& settings);

}  // namespace leitong
