#include "dedup/families.hpp"

#include <algorithm>

#include "cluster/settle.hpp"
#include "dedup/pair_list.hpp"
#include "index/rarity_join.hpp"

namespace leitong {

Result<void> complete_families(std::vector<VerifiedPair>& pairs, const DocumentTable& table,
                               Verifier& verifier, const Method& method, const Rule& rule) {
  const std::size_t documents = table.units.size();
  const std::vector<DocId> component = connected_components(documents, pairs);
  std::vector<DocId> members;  // of all families, ordered by component
  {
    std::vector<std::uint32_t> size(documents, 0);
    for (const DocId c : component) ++size[c];
    for (DocId d = 0; d < documents; ++d)
      if (size[component[d]] > RarityJoin::kHot && size[component[d]] <= kFamily && method.is_common(d))
        members.push_back(d);
    std::stable_sort(members.begin(), members.end(),
                     [&](DocId x, DocId y) { return component[x] < component[y]; });
  }
  std::vector<VerifiedPair> more;
  std::vector<Candidate> candidates;  // of one family, so that they are in order
  for (std::size_t i = 0, end; i < members.size(); i = end) {
    for (end = i; end < members.size() && component[members[end]] == component[members[i]];) ++end;
    candidates.clear();
    for (std::size_t x = i; x < end; ++x)
      for (std::size_t y = x + 1; y < end; ++y) {
        const DocId a = members[x], b = members[y];
        if (rule.worth_verifying(table.units[a], table.units[b]) && !contains(pairs, a, b))
          candidates.push_back({a, b, 0, true});
      }
    LEITONG_TRY(verifier.decide(candidates, more));
  }
  merge_into(pairs, std::move(more));
  return {};
}

}  // namespace leitong
