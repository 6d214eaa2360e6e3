#include "cluster/settle.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/halves.hpp"
#include "base/try.hpp"

namespace leitong {

CopyForms::CopyForms(std::span<const Copy> copies) {
  for (const Copy& c : copies)
    if (c.form != CopyForm()) forms_.emplace(c.copy, c.form);
}

CopyForm CopyForms::of(DocId document) const {
  const auto found = forms_.find(document);
  return found == forms_.end() ? CopyForm() : found->second;
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

namespace {

/// Compares two documents by rank: the better one represents both.
struct Better {
  std::span<const std::uint32_t> rank;
  DocId protected_count;

  [[nodiscard]] bool operator()(DocId x, DocId y) const {
    const bool protected_x = x < protected_count, protected_y = y < protected_count;
    return protected_x != protected_y ? protected_x : rank[x] < rank[y];
  }
};

/// Groups of copies by their originals; the best document of a group represents it.
struct CopyGroups {
  std::vector<DocId> original;  // for each document
  std::vector<DocId> best;      // for the group of each original

  CopyGroups(std::span<const std::uint32_t> rank, std::span<const Copy> copies, DocId protected_count)
      : original(originals(rank.size(), copies)), best(rank.size()) {
    std::iota(best.begin(), best.end(), DocId{0});
    const Better better{rank, protected_count};
    for (const Copy& c : copies)
      if (better(c.copy, best[c.original])) best[c.original] = c.copy;
  }

  // An original gets the rank of its group's best document; copies, which have no pairs, get the remaining
  // ranks.
  [[nodiscard]] std::vector<std::uint32_t> ranks(std::span<const std::uint32_t> rank,
                                                 std::span<const Copy> copies) const {
    std::vector<std::uint32_t> group_rank(rank.size());
    std::vector<DocId> by_rank(rank.size());
    for (DocId d = 0; d < rank.size(); ++d) by_rank[rank[d]] = d;
    std::uint32_t next = 0;
    for (const DocId d : by_rank)
      if (best[original[d]] == d) group_rank[original[d]] = next++;
    for (const Copy& c : copies) group_rank[c.copy] = next++;
    return group_rank;
  }

  // Determines for every document which one is kept in its place, and by which pair. `stands_for(document)`:
  // the best of the document's copies that stay.
  template <class StandsFor>
  void take(std::span<const Decision> decisions, DocId protected_count, const StandsFor& stands_for,
            Settlement& settlement) const {
    settlement.kept.resize_for_overwrite(decisions.size());
    settlement.pair.clear();
    settlement.pair.resize(decisions.size(), Settlement::kNoPair);
    for (DocId d = 0; d < decisions.size(); ++d) {
      const DocId group = original[d];
      const Decision& decision = decisions[group];
      const bool group_leaves = decision.kept != kNoDocument && decision.kept != group;
      settlement.kept[d] = d < protected_count ? d : group_leaves ? best[decision.kept] : stands_for(d);
      if (group_leaves && d >= protected_count) settlement.pair[d] = decision.pair;
    }
  }
};

/// The same by signs: a group is represented by one document for each variant of its signs.
class SignGroups {
 public:
  SignGroups(const CopyGroups& groups, std::span<const Copy> copies, const Better& better)
      : groups_(groups), forms_(copies) {
    for (const Copy& c : copies)
      if (c.form.signs != 0) best_.try_emplace(key(c.original, 0), c.original);
    if (best_.empty()) return;
    for (const Copy& c : copies) {
      if (!best_.contains(key(c.original, 0))) continue;
      DocId& best = best_.try_emplace(key(c.original, c.form.signs), c.copy).first->second;
      if (better(c.copy, best)) best = c.copy;
    }
  }

  [[nodiscard]] DocId best_like(DocId document) const {
    const DocId original = groups_.original[document];
    if (!best_.empty())
      if (const auto best = best_.find(key(original, forms_.of(document).signs)); best != best_.end())
        return best->second;
    return groups_.best[original];
  }

 private:
  static std::uint64_t key(DocId original, std::uint32_t signs) { return join_halves(original, signs); }

  const CopyGroups& groups_;
  CopyForms forms_;
  std::unordered_map<std::uint64_t, DocId> best_;  // of groups with several variants of signs
};

}  // namespace

Result<Settlement> settle(std::uint64_t documents, const PairStore& pairs, std::span<const Copy> copies,
                          std::span<const std::uint32_t> rank, DocId protected_count, bool apart) {
  const CopyGroups groups(rank, copies, protected_count);
  LEITONG_ASSIGN(const std::vector<Decision> decisions,
                 star_clusters(documents, pairs, groups.ranks(rank, copies), protected_count));
  Settlement settlement;
  LEITONG_ASSIGN(settlement.component, connected_components(documents, pairs));
  std::vector<bool> alone;  // apart: originals that are similar to no document, nor are their copies
  if (apart) {
    alone.resize(documents, true);
    LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) { alone[pair.a] = alone[pair.b] = false; }));
  }
  for (const Copy& c : copies)
    if (!apart || !alone[c.original]) settlement.component[c.copy] = settlement.component[c.original];
  groups.take(
      decisions, protected_count, [&](DocId d) { return apart ? d : groups.best[groups.original[d]]; },
      settlement);
  return settlement;
}

Result<void> settle_losses(const PairStore& pairs, std::span<const Copy> copies,
                           std::span<const std::uint32_t> rank, DocId protected_count,
                           const LossLimits& limits, const ReadLosses& read, Settlement& settlement,
                           bool apart) {
  StarClusters stars(rank.size(), pairs, protected_count, limits, read != nullptr);
  LEITONG_TRY(stars.list(CopyGroups(rank, copies, protected_count).ranks(rank, copies)));
  const LearnLoss learn = [&](std::uint32_t pair, const Loss& loss) { stars.learn(pair, loss); };
  // Most texts leave for the first text that they are compared with. Whether the others leave depends on more
  // losses. So many of these are requested at once that few rounds are needed.
  for (std::uint32_t at_once = 1;; at_once = std::min(2 * at_once, std::uint32_t{1} << 20)) {
    LEITONG_ASSIGN(const std::vector<OpenLoss> open, stars.decide(at_once));
    if (open.empty()) break;
    LEITONG_TRY(read(open, learn));
  }
  const CopyGroups groups(rank, copies, protected_count);
  if (settlement.leaders.empty()) settlement.leaders = std::move(settlement.kept);
  settlement.losses_decide = true;
  const SignGroups by_signs(groups, copies, {rank, protected_count});
  groups.take(
      stars.take_decisions(), protected_count, [&](DocId d) { return apart ? d : by_signs.best_like(d); },
      settlement);
  return {};
}

std::vector<DocId> keep_one_of_each(std::span<const std::uint32_t> value, std::span<const std::uint32_t> rank,
                                    Settlement& settlement) {
  if (settlement.leaders.empty()) settlement.leaders.append(settlement.kept);
  // For each cluster and value the best document; documents that stay come before those that leave.
  std::unordered_map<std::uint64_t, DocId> best;
  const auto key = [&](DocId d) { return join_halves(settlement.leader(d), value[d]); };
  const auto order = [&](DocId d) { return std::pair(!settlement.stays(d), rank[d]); };
  for (DocId d = 0; d < value.size(); ++d)
    if (!settlement.stays(d)) best.try_emplace(key(d), d);
  for (DocId d = 0; d < value.size(); ++d)
    if (const auto found = best.find(key(d)); found != best.end() && order(d) < order(found->second))
      found->second = d;
  std::vector<DocId> kept;
  for (DocId d = 0; d < value.size(); ++d)
    if (!settlement.stays(d) && best.at(key(d)) == d) kept.push_back(d);
  for (const DocId d : kept) {
    settlement.kept[d] = d;
    settlement.pair[d] = Settlement::kNoPair;
  }
  return kept;
}

}  // namespace leitong
