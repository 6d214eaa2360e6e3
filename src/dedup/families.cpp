#include "dedup/families.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "cluster/star.hpp"

namespace leitong {
namespace {

// A document of a family. find_strays() linked a stray to the family. A neighbour is similar to a member but,
// where the run tells works from templates, is not known to be the same work.
struct Member {
  DocId family = 0;
  DocId document = 0;
  bool neighbour = false;
  bool stray = false;

  auto operator<=>(const Member&) const = default;
};

// Returns the component of each document if that is a family, and kNoDocument otherwise. Where works are told
// apart from documents that share a template with them, only works count.
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

bool has_family(std::span<const DocId> family) {
  return std::ranges::any_of(family, [](DocId f) { return f != kNoDocument; });
}

// Returns for each document the mean Jaccard value of its pairs within its work, in units of 1/65,535; 0
// without such pairs.
Result<std::vector<std::uint32_t>> mean_likeness(const Kinship& works, const PairStore& pairs) {
  std::vector<std::uint64_t> sum(works.documents());
  std::vector<std::uint32_t> count(works.documents());
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (!works.together(pair.a, pair.b)) return;
    for (const DocId d : {pair.a, pair.b}) {
      sum[d] += static_cast<std::uint64_t>(std::lround(pair.jaccard * 65'535.0F));
      ++count[d];
    }
  }));
  for (DocId d = 0; d < count.size(); ++d)
    if (count[d] > 0) count[d] = static_cast<std::uint32_t>(std::max<std::uint64_t>(sum[d] / count[d], 1));
  return count;
}

// A work of many edited copies is found in parts, since common keys led each copy to a few leaders only. It
// would look like many works that share a template. The copies that were edited least, which are most similar
// to the others, represent the parts and are compared with each other, in rounds (Boruvka 1926).
Result<void> join_parts(const DocumentTable& table, PairStore& pairs, Verifier& verifier,
                        PairFinder& finder) {
  const Kinship& works = *verifier.works();
  for (unsigned round = 0; round < kPartRounds; ++round) {
    LEITONG_ASSIGN(std::vector<std::uint32_t> likeness, mean_likeness(works, pairs));
    std::vector<DocId> best(likeness.size(), kNoDocument);  // of each work
    const auto stands_for = [&](DocId x, DocId y) {
      return y == kNoDocument || likeness[x] > likeness[y] ||
             (likeness[x] == likeness[y] && table.content[x] < table.content[y]);
    };
    for (DocId d = 0; d < likeness.size(); ++d)
      if (DocId& of_work = best[works.family(d)];
          likeness[d] > 0 && finder.is_common(d) && stands_for(d, of_work))
        of_work = d;
    std::vector<DocId> parts;
    for (DocId d = 0; d < likeness.size(); ++d) {
      if (best[works.family(d)] == d)
        parts.push_back(d);
      else
        likeness[d] = 0;
    }
    if (parts.size() < 2) return {};
    LEITONG_TRY(finder.find_among(verifier, likeness));
    LEITONG_TRY(pairs.sort());
    const std::size_t before = parts.size();
    for (DocId& part : parts) part = works.family(part);
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (RarityJoin::kWorthwhile * (before - parts.size()) < before) return {};
  }
  return {};
}

Result<void> link_strays(std::span<const DocId> family, PairStore& pairs, Verifier& verifier,
                         PairFinder& finder) {
  for (unsigned round = 1; round <= kStrayRounds; ++round) {
    const std::uint64_t before = pairs.size();
    LEITONG_TRY(finder.find_strays(verifier, family, round));
    LEITONG_TRY(pairs.sort());
    if (pairs.size() == before) return {};
  }
  return {};
}

// Compares the members of each family with each other, except two strays.
Result<void> complete(std::vector<Member>& members, const DocumentTable& table, const Rule& rule,
                      Verifier& verifier) {
  std::sort(members.begin(), members.end());
  const auto same_document = [](const Member& x, const Member& y) {
    return x.family == y.family && x.document == y.document;
  };
  members.erase(std::unique(members.begin(), members.end(), same_document), members.end());
  const auto is_large = [&](std::span<const Member> all) {
    std::uint64_t units = 0;
    for (const Member& m : all) units += table.units[m.document];
    return is_large_family(all.size(), units);
  };
  for (std::size_t i = 0, end; i < members.size(); i = end) {
    for (end = i; end < members.size() && members[end].family == members[i].family;) ++end;
    std::span<Member> all = std::span(members).subspan(i, end - i);
    if (is_large(all)) {  // perhaps only because of the neighbours
      const auto neighbours =
          std::ranges::stable_partition(all, [](const Member& m) { return !m.neighbour; });
      all = all.first(all.size() - neighbours.size());
      if (is_large(all)) continue;
    }
    for (std::size_t x = 0; x < all.size(); ++x)
      for (const Member& b : all.subspan(x + 1)) {
        const Member& a = all[x];
        if (!(a.stray && b.stray) && rule.worth_verifying(table.units[a.document], table.units[b.document]))
          LEITONG_TRY(verifier.consider(a.document, b.document, true));
      }
  }
  return {};
}

}  // namespace

Result<void> compare_within_families(std::vector<DocId> family, PairStore& pairs, const DocumentTable& table,
                                     Verifier& verifier, const std::function<bool(DocId)>& is_common,
                                     const Rule& rule) {
  const Kinship* const works = verifier.works();
  std::vector<Member> members, parts;
  for (DocId d = 0; d < family.size(); ++d) {
    if (!is_common(d)) continue;
    if (family[d] != kNoDocument)
      members.push_back({family[d], d});
    else if (works != nullptr)
      parts.push_back({works->family(d), d});
  }
  // Where families are components, a pair that crosses them comes from a stray.
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (family[pair.a] == family[pair.b]) return;
    const bool neighbour = works != nullptr && pair.standing != PairStanding::same_work;
    for (const auto& [d, leader] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)})
      if (family[leader] != kNoDocument && !(neighbour && family[d] != kNoDocument))
        members.push_back({family[leader], d, neighbour, true});
  }));
  family = std::vector<DocId>();  // assigning {} would keep the memory
  for (std::vector<Member>* each : {&members, &parts}) LEITONG_TRY(complete(*each, table, rule, verifier));
  LEITONG_TRY(verifier.flush());
  return pairs.sort();
}

Result<std::vector<DocId>> link_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                                         PairFinder& finder) {
  if (verifier.works() != nullptr) LEITONG_TRY(join_parts(table, pairs, verifier, finder));
  LEITONG_ASSIGN(std::vector<DocId> family, find_families(table.units.size(), pairs, verifier.works()));
  if (has_family(family)) LEITONG_TRY(link_strays(family, pairs, verifier, finder));
  return family;
}

Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               PairFinder& finder, const Rule& rule) {
  LEITONG_ASSIGN(std::vector<DocId> family, link_families(pairs, table, verifier, finder));
  if (verifier.works() == nullptr && !has_family(family)) return {};
  return compare_within_families(
      std::move(family), pairs, table, verifier, [&](DocId d) { return finder.is_common(d); }, rule);
}

}  // namespace leitong
