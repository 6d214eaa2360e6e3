// Families of near-duplicates that hang together by their leaders: compared all with all where that is cheap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/method.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"
#include "similarity/document_table.hpp"
#include "similarity/pair.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The documents of common keys (Method::is_common) of one connected component.
struct Family {
  std::uint32_t size;              ///< of the component
  std::span<const DocId> members;  ///< ascending
  [[nodiscard]] std::uint64_t comparisons() const noexcept {
    return members.size() * (members.size() - 1) / 2;
  }
};

/// Families up to this size are completed, however many there are: at most kFamily / 2 comparisons a
/// document.
inline constexpr std::uint32_t kFamily = 512;
/// Larger ones are, the smaller first, while they take no more comparisons than this a document of
/// the corpus in all: each may make a pair, and pairs stay in memory.
inline constexpr std::uint64_t kMoreComparisons = 1;

/// The size up to which families are to be completed: kFamily or more. All of one size or none of it, so that
/// nothing depends on their order.
[[nodiscard]] std::uint32_t largest_to_complete(std::span<const Family> families, std::uint64_t documents);

/// A key of more than RarityJoin::kHot documents leads to two leaders only, so in a large family the join
/// finds each member's pairs with these. Adds to `pairs` (ordered, see pair_list.hpp) those of its other
/// members that the rule accepts as Candidate::template_only.
Result<void> complete_families(std::vector<VerifiedPair>& pairs, const DocumentTable& table,
                               Verifier& verifier, const Method& method, const Rule& rule);

}  // namespace leitong
