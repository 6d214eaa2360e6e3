#include "dedup/families.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "cluster/star.hpp"
#include "index/rarity_join.hpp"

namespace leitong {
namespace {

// A family and one of its documents. Strays were linked to it by find_strays().
struct Member {
  DocId family = 0;
  DocId document = 0;
  bool stray = false;

  auto operator<=>(const Member&) const = default;
};

// The component of each document, where that is a family; kNoDocument elsewhere. Where works are told apart
// from what shares a template with them, only they count.
Result<std::vector<DocId>> find_families(std::uint64_t documents, const PairStore& pairs,
                                         const Kinship* works) {
  std::vector<DocId> family;
  if (works == nullptr) {
    LEITONG_ASSIGN(family, connected_components(documents, pairs));
  } else {
    family.resize(documents);
    for (DocId d = 0; d < documents; ++d) family[d] = works->family(d);
  }
  std::vector<std::uint32_t> size(documents, 0);
  for (const DocId f : family) ++size[f];
  for (DocId& f : family)
    if (size[f] <= RarityJoin::kHot) f = kNoDocument;
  return family;
}

Result<void> link_strays(std::span<const DocId> family, PairStore& pairs, Verifier& verifier,
                         PairFinder& finder) {
  constexpr unsigned kStrayRounds = 3;
  for (unsigned round = 1; round <= kStrayRounds; ++round) {
    const std::uint64_t before = pairs.size();
    LEITONG_TRY(finder.find_strays(verifier, family, round));
    LEITONG_TRY(pairs.sort());
    if (pairs.size() == before) return {};
  }
  return {};
}

// Compares the documents of one family with each other, except two strays.
Result<void> complete(std::span<const Member> members, const DocumentTable& table, const Rule& rule,
                      Verifier& verifier) {
  for (std::size_t x = 0; x < members.size(); ++x)
    for (const Member& b : members.subspan(x + 1)) {
      const Member& a = members[x];
      if (!(a.stray && b.stray) && rule.worth_verifying(table.units[a.document], table.units[b.document]))
        LEITONG_TRY(verifier.consider(a.document, b.document, true));
    }
  return {};
}

}  // namespace

Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               PairFinder& finder, const Rule& rule) {
  std::vector<Member> members;
  {
    LEITONG_ASSIGN(const std::vector<DocId> family,
                   find_families(table.units.size(), pairs, verifier.works()));
    if (std::ranges::all_of(family, [](DocId f) { return f == kNoDocument; })) return {};
    LEITONG_TRY(link_strays(family, pairs, verifier, finder));
    for (DocId d = 0; d < family.size(); ++d)
      if (family[d] != kNoDocument && finder.is_common(d)) members.push_back({family[d], d});
    // Families were the components, so pairs between them are those of strays.
    LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
      if (family[pair.a] == family[pair.b]) return;
      if (verifier.works() != nullptr && pair.footing != Footing::same_work) return;
      for (const auto& [d, leader] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)})
        if (family[leader] != kNoDocument) members.push_back({family[leader], d, true});
    }));
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  for (std::size_t i = 0, end; i < members.size(); i = end) {
    for (end = i; end < members.size() && members[end].family == members[i].family;) ++end;
    if (end - i <= kFamily)
      LEITONG_TRY(complete(std::span(members).subspan(i, end - i), table, rule, verifier));
  }
  LEITONG_TRY(verifier.flush());
  return pairs.sort();
}

}  // namespace leitong
