#include "dedup/families.hpp"

#include <algorithm>
#include <vector>

#include "cluster/star.hpp"
#include "index/rarity_join.hpp"

namespace leitong {
namespace {

// Compares the members, ascending, all with all. A family's candidates may fill the memory, so it goes by
// groups of first documents.
Result<void> complete(std::span<const DocId> members, const PairStore& pairs, const DocumentTable& table,
                      Verifier& verifier, const Rule& rule) {
  const std::size_t most = pairs.memory().for_buffers() / 8 / sizeof(Candidate);
  std::vector<Candidate> candidates;
  for (std::size_t x = 0; x < members.size(); ++x) {
    for (const DocId b : members.subspan(x + 1))
      if (rule.worth_verifying(table.units[members[x]], table.units[b]))
        candidates.push_back({members[x], b, 0, true});
    if (candidates.size() < most && x + 1 < members.size()) continue;
    LEITONG_TRY(verifier.decide(candidates));
    candidates.clear();
  }
  return {};
}

}  // namespace

Result<void> complete_families(PairStore& pairs, const DocumentTable& table, Verifier& verifier,
                               const Method& method, const Rule& rule) {
  const std::size_t documents = table.units.size();
  std::vector<DocId> members;  // of all families, ordered by component
  LEITONG_ASSIGN(const std::vector<DocId> component, connected_components(documents, pairs));
  {
    std::vector<std::uint32_t> size(documents, 0);
    for (const DocId c : component) ++size[c];
    for (DocId d = 0; d < documents; ++d)
      if (size[component[d]] > RarityJoin::kHot && size[component[d]] <= kFamily && method.is_common(d))
        members.push_back(d);
    std::stable_sort(members.begin(), members.end(),
                     [&](DocId x, DocId y) { return component[x] < component[y]; });
  }
  for (std::size_t i = 0, end; i < members.size(); i = end) {
    for (end = i; end < members.size() && component[members[end]] == component[members[i]];) ++end;
    LEITONG_TRY(complete(std::span(members).subspan(i, end - i), pairs, table, verifier, rule));
  }
  return pairs.sort();
}

}  // namespace leitong
