// The pairs of the audit's sample, by which the recall of a run is measured.
#pragma once

#include <span>
#include <vector>

#include "base/candidates.hpp"
#include "base/pair.hpp"
#include "dedup/audit.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/grouped_texts.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/template/shingled_texts.hpp"
#include "dedup/template/stage.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The pairs of the sample. The recall of the run is measured by those that the rule accepts.
class AuditedPairs {
 public:
  AuditedPairs(RecallSample& sample, const PairFinder& finder);

  /// Where templates are looked for, compares the pairs that the run has not compared, before the second
  /// decision. Pairs that share nothing but a frame, as far as the sample itself shows it, count as refused:
  /// they would be most of all documents whose shingles are counted. What at least kFamilies works beside the
  /// sampled document hold is such a frame.
  Result<std::span<const VerifiedPair>> compare_unseen(Verifier& verifier, const Rule& rule,
                                                       const ShingledTexts& texts, const PairResult& found);
  /// Decides the pairs that the run does not have, and counts. With `groups`, only those pairs count whose
  /// documents may be compared. `templates` and `groups` may be null.
  Result<Audit> evaluate(Verifier& verifier, TemplateStage* templates, const GroupedTexts* groups,
                         const PairResult& found);

 private:
  RecallSample& sample_;
  std::vector<Candidate> candidates_;
  std::vector<VerifiedPair> compared_;
};

}  // namespace leitong
