// By what a run decides, where the caller leaves it to the method.
#pragma once

#include "dedup/find_pairs.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The rule of the options where it is another than the default. Else that of the method, where the method
/// has a threshold of its own: `shingle` asks for its measure over shingles of its length, `edit` for its
/// edit similarity; and else the default. Fails with invalid_argument for an unknown method or parameter, and
/// for edits of characters where pairs are verified.
Result<Rule> rule_in_force(const FindOptions& options);

/// The options with the rule in force, and with the method that follows it: below the default rule,
/// and where containment alone counts, what "default" goes by is too rare, and "overlap" takes its place.
/// Fails as rule_in_force().
Result<FindOptions> in_force(const FindOptions& options);

/// Is text that many unrelated documents hold left out of the comparison? Fails with invalid_argument where
/// that is asked for and can't be: the second decision is about the default rule and about passages, over
/// verified pairs.
Result<bool> ignores_templates(const FindOptions& options, const Rule& rule);

}  // namespace leitong
