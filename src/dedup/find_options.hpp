// What is asked of a search for pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/pair.hpp"
#include "corpus/documents.hpp"
#include "dedup/document_vectors.hpp"
#include "dedup/field_groups.hpp"
#include "dedup/template/stage.hpp"
#include "io/artifact_folder.hpp"
#include "leitong/dedup.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

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

}  // namespace leitong
