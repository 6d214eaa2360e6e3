// The pairs of the audit's sample, by which the recall of a run is measured.
#pragma once

#include <span>
#include <vector>

#include "base/candidates.hpp"
#include "base/pair.hpp"
#include "dedup/audit.hpp"
#include "dedup/grouped_texts.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/template/shingled_texts.hpp"
#include "dedup/template/stage.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The pairs of the sample. The recall of the run is measured by those that the rule accepts.
class AuditedPairs {
 public:
  /// Takes the candidates of the sample. If those that the run has not compared would take more than a tenth
  /// of the run's work to compare, the sample is made smaller, unless its size was asked for.
  static Result<AuditedPairs> take(RecallSample& sample, const PairFinder& finder, const PairResult& found);

  /// Where templates are looked for, compares these pairs, before the second decision. Pairs that share
  /// nothing but a frame, as far as the sample itself shows it, count as refused: they would be most of all
  /// documents whose shingles are counted. What at least kFamilies works beside the sampled document hold is
  /// such a frame.
  Result<std::span<const VerifiedPair>> compare_unseen(Verifier& verifier, const Rule& rule,
                                                       const ShingledTexts& texts, const PairResult& found);
  /// Decides the pairs that the run does not have, and counts. With `groups`, only those pairs count whose
  /// documents may be compared. `templates` and `groups` may be null.
  Result<Audit> evaluate(Verifier& verifier, TemplateStage* templates, const GroupedTexts* groups,
                         const PairResult& found);

 private:
  explicit AuditedPairs(RecallSample& sample) : sample_(&sample) {}

  RecallSample* sample_;
  std::vector<Candidate> candidates_, unseen_;  // all, and those that the run has not compared
  std::vector<VerifiedPair> compared_;
};

}  // namespace leitong
