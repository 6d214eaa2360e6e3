// Decides which documents stay, and makes the comparisons that become necessary when a document leaves.
#pragma once

#include <functional>

#include "dedup/cosine_pairs.hpp"
#include "dedup/grouped_texts.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The most rounds of settling after the first.
inline constexpr int kSettlingRounds = 4;

/// Called when round number `round` (from 0) is settled. `grew` tells whether pairs were found since the
/// round before. Returns whether to continue; the last round ignores it.
using SettledFn = std::function<bool(int round, bool grew)>;

/// What is compared where a document left.
struct Completion {
  bool by_rule = false;
  CosinePairs* by_cosine = nullptr;  ///< the vectors; may be null
  /// Which documents may be compared; null: all. With groups nothing is completed by the cosine.
  const GroupedTexts* groups = nullptr;
};

/// Settles what was found by similarity alone.
Result<void> settle_by_similarity(const Precedence& precedence, PairResult& found);

/// Settles what was found. With a completion, documents that stay beside better ones of their family, with
/// which they were never compared, are compared with these, and everything is settled again. The number of
/// rounds is fixed, and so is the number of comparisons a document in each. Ends when a round finds no pair,
/// unless `settled` decides otherwise: then large families continue with their next centres.
Result<void> settle_found(PairResult& found, Verifier& verifier, const Precedence& precedence,
                          Completion complete, const SettledFn& settled = {});

/// Leaves only the pairs of documents that may be compared, and divides the copies of each text in the same
/// way. REQUIRES that all pairs are between originals and are decided; `limits` are those of removals.
Result<GroupedTexts> divide_found(FieldGroups groups, const Precedence& precedence, const LossLimits& limits,
                                  RunContext& run, PairResult& found);

/// Settles by similarity again, now that the pairs have all their losses: the document that covers most comes
/// first. This becomes the order in which removals are settled.
Result<void> settle_by_covering(const LossLimits& limits, Precedence& precedence, PairResult& found);

}  // namespace leitong
