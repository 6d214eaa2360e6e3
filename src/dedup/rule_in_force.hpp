// The rule of a run, where the caller leaves it to the method.
#pragma once

#include "dedup/find_options.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// Returns the rule of the options if it is not the default. Otherwise returns the rule of the method if that
/// has a threshold of its own: `shingle` uses its measure over shingles of its length, `edit` its edit
/// similarity. All other methods use the default rule. Fails with invalid_argument for an unknown method or
/// parameter, and for edits of characters where pairs are verified.
Result<Rule> rule_in_force(const FindOptions& options);

/// Returns the options with the rule in force and the method that follows from it. Below the default rule,
/// and where containment alone counts, the keys of "default" are too rare, so "overlap" replaces it. Fails as
/// rule_in_force() does.
Result<FindOptions> in_force(const FindOptions& options);

/// True if text that many unrelated documents hold is left out of the comparison. Fails with invalid_argument
/// if that is requested and impossible: the second decision needs the default rule or passages, over verified
/// pairs.
Result<bool> ignores_templates(const FindOptions& options, const Rule& rule);

}  // namespace leitong
