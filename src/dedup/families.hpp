// Families: many near-duplicates that hang together by common keys and their leaders.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/pair_store.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// Families up to this size, strays included, are compared all with all: at most kFamily / 2 comparisons a
/// document. Larger ones stay linked by their leaders; settle_found() sees to those who stay of them.
inline constexpr std::uint32_t kFamily = 2'048;

/// Rounds in which parts of works are joined, as long as one joins one part in RarityJoin::kWorthwhile, and
/// in which strays are linked.
inline constexpr unsigned kPartRounds = 8, kStrayRounds = 3;

/// A key of more than RarityJoin::kHot documents leads to two leaders only, so in a large family the join
/// finds each member's pairs with these, and a member to whom they aren't similar may be left beside it: a
/// stray. Links strays through other leaders and adds to `pairs`, which `verifier` fills, those of all
/// members that the rule accepts as Candidate::template_only. Leaves `pairs` sorted.
Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               PairFinder& finder, const Rule& rule);

/// Its last step, of which a part of a corpus that holds whole families gives the same pairs: compares the
/// members of each `family` (a number for each document, kNoDocument for those in none) that `is_common`, and
/// those whom pairs tie to it. A work of many copies comes in parts, whose keys are hot because of the other
/// parts: of works that are no family, the documents that are common are compared as well.
Result<void> compare_within_families(std::vector<DocId> family, PairStore& pairs, const DocumentTable& table,
                                     Verifier& verifier, const std::function<bool(DocId)>& is_common,
                                     const Rule& rule);

}  // namespace leitong
