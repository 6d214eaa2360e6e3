#include "cluster/settle.hpp"

#include <numeric>
#include <utility>

#include "base/try.hpp"

namespace leitong {

CopyForms::CopyForms(std::span<const Copy> copies) {
  for (const Copy& c : copies)
    if (c.form != 0) forms_.emplace(c.copy, c.form);
}

std::uint32_t CopyForms::form_of(DocId document) const {
  const auto found = forms_.find(document);
  return found == forms_.end() ? 0 : found->second;
}

std::vector<DocId> originals(std::uint64_t documents, std::span<const Copy> copies) {
  std::vector<DocId> original(documents);
  std::iota(original.begin(), original.end(), DocId{0});
  for (const Copy& c : copies) original[c.copy] = c.original;
  return original;
}

std::vector<bool> copy_marks(std::uint64_t documents, std::span<const Copy> copies) {
  std::vector<bool> marks(documents);
  for (const Copy& c : copies) marks[c.copy] = true;
  return marks;
}

Result<Settlement> settle(std::uint64_t documents, const PairStore& pairs, std::span<const Copy> copies,
                          std::span<const std::uint32_t> rank, DocId protected_count) {
  const std::vector<DocId> original = originals(documents, copies);
  std::vector<DocId> best(documents);  // of each original's group
  std::iota(best.begin(), best.end(), DocId{0});
  auto better = [&](DocId x, DocId y) {
    const bool protected_x = x < protected_count, protected_y = y < protected_count;
    return protected_x != protected_y ? protected_x : rank[x] < rank[y];
  };
  for (const Copy& c : copies)
    if (better(c.copy, best[c.original])) best[c.original] = c.copy;

  // An original goes by the rank of its group's best document; copies, which have no pairs, take the ranks
  // that are left.
  std::vector<std::uint32_t> group_rank(documents);
  {
    std::vector<DocId> by_rank(documents);
    for (DocId d = 0; d < documents; ++d) by_rank[rank[d]] = d;
    std::uint32_t next = 0;
    for (const DocId d : by_rank)
      if (best[original[d]] == d) group_rank[original[d]] = next++;
    for (const Copy& c : copies) group_rank[c.copy] = next++;
  }
  LEITONG_ASSIGN(const std::vector<Decision> decisions,
                 star_clusters(documents, pairs, std::move(group_rank), protected_count));

  Settlement settlement;
  LEITONG_ASSIGN(settlement.component, connected_components(documents, pairs));
  for (const Copy& c : copies) settlement.component[c.copy] = settlement.component[c.original];
  settlement.kept.resize_for_overwrite(documents);
  settlement.pair.resize(documents, Settlement::kNoPair);
  for (DocId d = 0; d < documents; ++d) {
    const DocId group = original[d];
    const Decision& decision = decisions[group];
    const bool group_leaves = decision.kept != kNoDocument && decision.kept != group;
    settlement.kept[d] = d < protected_count ? d : best[group_leaves ? decision.kept : group];
    if (group_leaves && d >= protected_count) settlement.pair[d] = decision.pair;
  }
  return settlement;
}

}  // namespace leitong
