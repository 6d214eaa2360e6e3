// Families of near-duplicates that hang together by their leaders: compared all with all where that is cheap.
#pragma once

#include <cstdint>

#include "cluster/pair_store.hpp"
#include "dedup/method.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"
#include "similarity/document_table.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// Families up to this size are completed: at most kFamily / 2 comparisons a document. Larger ones stay
/// linked by their leaders.
inline constexpr std::uint32_t kFamily = 512;

/// A key of more than RarityJoin::kHot documents leads to two leaders only, so in a large family the join
/// finds each member's pairs with these. Adds to `pairs`, which `verifier` fills, those of its other members
/// that the rule accepts as Candidate::template_only, and sorts it.
Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               const Method& method, const Rule& rule);

}  // namespace leitong
