#include "dedup/families.hpp"

#include <algorithm>
#include <map>

#include "cluster/settle.hpp"
#include "dedup/pair_list.hpp"
#include "index/rarity_join.hpp"

namespace leitong {

std::uint32_t largest_to_complete(std::span<const Family> families, std::uint64_t documents) {
  std::map<std::uint32_t, std::uint64_t> comparisons;
  for (const Family& family : families)
    if (family.size > kFamily) comparisons[family.size] += family.comparisons();
  std::uint32_t largest = kFamily;
  std::uint64_t left = kMoreComparisons * documents;
  for (const auto& [size, cost] : comparisons) {
    if (cost > left) break;
    left -= cost;
    largest = size;
  }
  return largest;
}

Result<void> complete_families(std::vector<VerifiedPair>& pairs, const DocumentTable& table,
                               Verifier& verifier, const Method& method, const Rule& rule) {
  constexpr std::size_t kBatch = 1 << 20;  // candidates at a time
  const std::size_t documents = table.units.size();
  std::vector<DocId> members;  // of all families, ordered by component
  std::vector<Family> families;
  {
    const std::vector<DocId> component = connected_components(documents, pairs);
    std::vector<std::uint32_t> size(documents, 0);
    for (const DocId c : component) ++size[c];
    for (DocId d = 0; d < documents; ++d)
      if (size[component[d]] > RarityJoin::kHot && method.is_common(d)) members.push_back(d);
    std::stable_sort(members.begin(), members.end(),
                     [&](DocId x, DocId y) { return component[x] < component[y]; });
    for (std::size_t i = 0; i < members.size();) {
      std::size_t j = i;
      while (j < members.size() && component[members[j]] == component[members[i]]) ++j;
      families.push_back({size[component[members[i]]], std::span(members).subspan(i, j - i)});
      i = j;
    }
  }
  const std::uint32_t largest = largest_to_complete(families, documents);
  std::vector<VerifiedPair> more;
  std::vector<Candidate> candidates;
  auto decide = [&]() -> Result<void> {
    LEITONG_TRY(verifier.decide(candidates, more));
    candidates.clear();
    return {};
  };
  for (const Family& family : families) {
    if (family.size > largest) continue;
    for (std::size_t x = 0; x < family.members.size(); ++x) {
      for (std::size_t y = x + 1; y < family.members.size(); ++y) {
        const DocId a = family.members[x], b = family.members[y];
        if (rule.worth_verifying(table.units[a], table.units[b]) && !contains(pairs, a, b))
          candidates.push_back({a, b, 0, true});
      }
      if (candidates.size() >= kBatch) LEITONG_TRY(decide());
    }
    LEITONG_TRY(decide());
  }
  merge_into(pairs, std::move(more));
  return {};
}

}  // namespace leitong
