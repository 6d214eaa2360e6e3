// Who stays, and the comparisons that only show themselves to be needed when somebody leaves.
#pragma once

#include <functional>

#include "dedup/cosine_pairs.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Times after the first that all is settled, at most.
inline constexpr int kSettlingRounds = 4;

/// Called when all was settled for the time of number `round`, from 0: `grew` tells whether pairs were found
/// since the time before. Returns whether to go on, which the last time leaves without effect.
using SettledFn = std::function<bool(int round, bool grew)>;

/// What is compared where somebody left.
struct Completion {
  bool by_rule = false;
  CosinePairs* by_cosine = nullptr;  ///< the vectors; may be null
};

/// Settles what was found. With a completion, documents that stay beside better ones of their family, with
/// which nothing made them meet, are compared with these, and all is settled anew; a fixed number of times,
/// each with a fixed number of comparisons a document. Ends when a time finds no pair, unless `settled`
/// decides otherwise: then large families go on to their next centres.
Result<void> settle_found(PairResult& found, Verifier& verifier, const Precedence& precedence,
                          Completion complete, const SettledFn& settled = {});

/// Settles by similarity anew, now that all losses are with the pairs: what covers most comes first, and
/// becomes the order in which removals are to be settled.
Result<void> settle_by_covering(const LossLimits& limits, Precedence& precedence, PairResult& found);

}  // namespace leitong
