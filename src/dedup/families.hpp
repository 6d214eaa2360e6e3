// Families: many near-duplicates that are connected through common keys and their leaders.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/document_table.hpp"
#include "cluster/pair_store.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/verify.hpp"
#include "index/rarity_join.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// In families up to these sizes, strays included, every document is compared with every other: at most
/// kFamily / 2 comparisons a document, and fewer of long texts, which cost more. Larger families stay
/// connected through their leaders; settle_found() compares the documents of these that stay.
inline constexpr std::uint32_t kFamily = 2'048;
inline constexpr std::uint64_t kFamilyUnits = std::uint64_t{1} << 19;
/// A family of no more members is never large, however long its texts are.
inline constexpr std::uint32_t kSmallFamily = RarityJoin::kHot;

[[nodiscard]] constexpr bool is_large_family(std::uint64_t members, std::uint64_t units) noexcept {
  return members > kFamily || (members > kSmallFamily && units > kFamilyUnits);
}

/// Rounds in which parts of works are joined, as long as a round joins at least one part in
/// RarityJoin::kWorthwhile, and rounds in which strays are linked.
inline constexpr unsigned kPartRounds = 8, kStrayRounds = 3;

/// A key of more than RarityJoin::kHot documents leads to two leaders only. So in a large family the join
/// finds each member's pairs with these, and a member to which they are not similar may be left out: a stray.
/// This function links strays through other leaders and adds to `pairs`, which `verifier` fills, those pairs
/// of all members that the rule accepts as Candidate::template_only. Leaves `pairs` sorted.
Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               PairFinder& finder, const Rule& rule);

/// The first step of complete_families(): joins the parts of works and links strays. Returns the family of
/// each document as it was before the strays were linked, or kNoDocument. Leaves `pairs` sorted.
Result<std::vector<DocId>> link_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                                         PairFinder& finder);

/// The last step of complete_families(), which gives the same pairs for a part of a corpus that holds whole
/// families. Compares the members of each `family` (a number for each document, kNoDocument for those in
/// none) that are common (`is_common`) with each other and with the documents that pairs connect to the
/// family. A work of many copies is found in parts, whose keys are hot because of the other parts, so in
/// works that are no family the common documents are compared as well.
Result<void> compare_within_families(std::vector<DocId> family, PairStore& pairs, const DocumentTable& table,
                                     Verifier& verifier, const std::function<bool(DocId)>& is_common,
                                     const Rule& rule);

}  // namespace leitong
