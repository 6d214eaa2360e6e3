#include "dedup/settling.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "cluster/covering.hpp"
#include "cluster/star.hpp"
#include "dedup/families.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {
namespace {

// What settling decided about each original.
class Fates {
 public:
  Fates(const PairResult& found, const std::vector<std::uint32_t>& rank)
      : kept_(found.settlement.kept),
        rank_(rank),
        original_(originals(found.table.units.size(), found.copies)) {}

  [[nodiscard]] bool is_original(DocId d) const { return original_[d] == d; }
  /// The original of the kept document for which `d` leaves; `d` itself if it stays.
  [[nodiscard]] DocId left_for(DocId d) const { return original_[kept_[d]]; }
  [[nodiscard]] bool stays(DocId d) const { return left_for(d) == d; }
  [[nodiscard]] bool better(DocId x, DocId y) const { return rank_[kept_[x]] < rank_[kept_[y]]; }

 private:
  const PodVector<DocId>& kept_;
  const std::vector<std::uint32_t>& rank_;
  std::vector<DocId> original_;
};

// If a better document is kept in place of a leader, documents that only the leader had led have no document
// to leave for. So documents that stay alone beside a neighbour that left are compared with the document for
// which it left, and with the best of those that stay for the same reason. Both documents of such a pair are
// verified neighbours of a third one, so the ordinary rule decides. Only documents that stay alone are moved,
// and only to better ones: clusters that have formed remain, and every round leaves fewer.
Result<void> compare_left_behind(const PairResult& found, const Fates& fates, Verifier& verifier,
                                 Completion complete) {
  const std::size_t documents = found.table.units.size();
  std::vector<bool> followed(documents);
  for (DocId d = 0; d < documents; ++d)
    if (fates.is_original(d) && !fates.stays(d)) followed[fates.left_for(d)] = true;
  // Calls each(d, neighbour) for every pair in which d stays alone and the neighbour left.
  auto for_each_left_behind = [&](auto each) {
    return found.pairs->for_each([&](const VerifiedPair& p) -> Result<void> {
      for (const auto& [d, neighbour] : {std::pair(p.a, p.b), std::pair(p.b, p.a)})
        if (fates.stays(d) && !followed[d] && !fates.stays(neighbour)) LEITONG_TRY(each(d, neighbour));
      return {};
    });
  };
  std::vector<DocId> best(documents, kNoDocument);  // of those that a document left behind
  LEITONG_TRY(for_each_left_behind([&](DocId d, DocId neighbour) -> Result<void> {
    if (best[neighbour] == kNoDocument || fates.better(d, best[neighbour])) best[neighbour] = d;
    return {};
  }));
  return for_each_left_behind([&](DocId d, DocId neighbour) -> Result<void> {
    for (const DocId other : {fates.left_for(neighbour), best[neighbour]}) {
      if (!fates.better(other, d)) continue;
      if (complete.by_rule) LEITONG_TRY(verifier.consider(d, other, false));
      if (complete.by_cosine != nullptr) complete.by_cosine->consider(d, other);
    }
    return {};
  });
}

// Of many equal vectors each is compared with some of the others only, so that several clusters form of them.
// A document that stays beside a neighbour that left is compared with the best document for which such a
// neighbour left, and so are the documents that left for it.
Result<void> compare_clusters(const PairResult& found, const Fates& fates, CosinePairs& vectors) {
  const std::size_t documents = found.table.units.size();
  std::vector<DocId> best(documents, kNoDocument);
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& p) {
    for (const auto& [d, neighbour] : {std::pair(p.a, p.b), std::pair(p.b, p.a)}) {
      const DocId other = fates.left_for(neighbour);
      if (!fates.stays(d) || !fates.better(other, d)) continue;
      if (best[d] == kNoDocument || fates.better(other, best[d])) best[d] = other;
    }
  }));
  for (DocId d = 0; d < documents; ++d)
    if (fates.is_original(d) && best[fates.left_for(d)] != kNoDocument)
      vectors.consider(d, best[fates.left_for(d)]);
  return {};
}

// Families that are too large to be completed. Their best documents that stay are their centres, and each
// round adds kCentres more. Every member is compared with the first centres, and members that stay are
// compared with all. What is similar to a centre leaves, so the centres of the next round are different ones.
class LargeFamilies {
 public:
  // A family is found without regard to groups. Its documents that can be in one cluster are a family of
  // their own.
  void choose(const PairResult& found, const Fates& fates, const GroupedTexts* groups) {
    const std::size_t documents = found.table.units.size();
    const auto component = [&](DocId d) {
      return groups == nullptr ? found.settlement.component[d] : groups->family(d);
    };
    const auto is_common = [&](DocId d) { return found.common[groups == nullptr ? d : groups->text_of(d)]; };
    const auto belongs = [&](DocId d) { return fates.is_original(d) && is_common(d); };
    const PodVector<std::uint32_t>& units_of = found.table.units;
    std::vector<std::uint32_t> size(documents, 0);
    for (DocId d = 0; d < documents; ++d)
      if (belongs(d)) ++size[component(d)];
    // Families of which the units decide whether they are large.
    std::unordered_map<DocId, std::uint64_t> units;
    for (DocId d = 0; d < documents; ++d)
      if (const DocId family = component(d); size[family] > kSmallFamily && belongs(d))
        units[family] += units_of[groups == nullptr ? d : groups->text_of(d)];
    const auto is_large = [&](DocId family) {
      return size[family] > kSmallFamily && is_large_family(size[family], units.at(family));
    };
    for (DocId d = 0; d < documents; ++d)
      if (belongs(d) && is_large(component(d)))
        families_[{component(d), groups == nullptr ? 0 : groups->division(d)}].members.push_back({d});
  }

  Result<void> compare_with_centres(const Fates& fates, Verifier& verifier) {
    for (auto& [key, family] : families_) {
      appoint(family, fates);
      for (Member& member : family.members) {
        if (member.compared > 0 && !fates.stays(member.document)) continue;
        for (; member.compared < family.centres.size(); ++member.compared) {
          const DocId centre = family.centres[member.compared];
          if (centre != member.document && fates.stays(centre))
            LEITONG_TRY(verifier.consider(member.document, centre, true));
        }
      }
    }
    return {};
  }

 private:
  static constexpr std::size_t kCentres = 64;
  struct Member {
    DocId document = 0;
    std::uint32_t compared = 0;  // compared with this number of the family's first centres
    bool is_centre = false;
  };
  struct Family {
    std::vector<Member> members;
    std::vector<DocId> centres;
  };

  static void appoint(Family& family, const Fates& fates) {
    std::vector<Member*> eligible;
    for (Member& member : family.members) {
      member.is_centre &= fates.stays(member.document);  // a document that stays again becomes a new centre
      if (!member.is_centre && fates.stays(member.document)) eligible.push_back(&member);
    }
    const auto end = eligible.begin() + static_cast<std::ptrdiff_t>(std::min(eligible.size(), kCentres));
    std::partial_sort(eligible.begin(), end, eligible.end(), [&](const Member* x, const Member* y) {
      return fates.better(x->document, y->document);
    });
    for (Member* const member : std::span(eligible.begin(), end)) {
      member->is_centre = true;
      family.centres.push_back(member->document);
    }
  }

  std::map<std::pair<DocId, std::uint32_t>, Family> families_;  // by component and GroupedTexts::division()
};

}  // namespace

Result<void> settle_by_similarity(const Precedence& precedence, PairResult& found) {
  found.settlement = {};  // frees memory, since the next one takes as much
  LEITONG_ASSIGN(found.settlement, settle(found.table.units.size(), *found.pairs, found.copies,
                                          precedence.rank, precedence.protected_count, found.copies_apart));
  return {};
}

Result<void> settle_found(PairResult& found, Verifier& verifier, const Precedence& precedence,
                          Completion complete, const SettledFn& settled) {
  LargeFamilies large;
  std::uint64_t before = 0;
  for (int round = 0;; ++round) {
    const bool grew = found.pairs->size() > before || round == 0;
    if (!grew && !settled) return {};
    LEITONG_TRY(settle_by_similarity(precedence, found));
    const bool go_on = !settled || settled(round, grew);
    const bool completes = complete.by_rule || complete.by_cosine != nullptr;
    if (!completes || !go_on || round == kSettlingRounds) return {};
    before = found.pairs->size();
    {
      const Fates fates(found, precedence.rank);
      LEITONG_TRY(compare_left_behind(found, fates, verifier, complete));
      if (complete.by_cosine != nullptr) LEITONG_TRY(compare_clusters(found, fates, *complete.by_cosine));
      if (round == 0 && complete.by_rule) large.choose(found, fates, complete.groups);
      LEITONG_TRY(large.compare_with_centres(fates, verifier));
      LEITONG_TRY(verifier.flush());
    }
    LEITONG_TRY(found.pairs->sort());
    if (complete.by_cosine != nullptr) LEITONG_TRY(complete.by_cosine->flush());
  }
}

Result<GroupedTexts> divide_found(FieldGroups groups, const Precedence& precedence, const LossLimits& limits,
                                  RunContext& run, PairResult& found) {
  const std::size_t documents = found.table.units.size();
  LEITONG_ASSIGN(std::vector<DocId> family, connected_components(documents, *found.pairs));
  GroupedTexts texts(std::move(groups), found.copies, precedence.rank, std::move(family));
  auto comparable = std::make_unique<PairStore>(documents, run);
  const auto add = [&](const VerifiedPair& pair) { return comparable->add(pair); };
  LEITONG_TRY(
      found.pairs->for_each([&](const VerifiedPair& pair) { return texts.for_each_pair(pair, add); }));
  LEITONG_TRY(texts.for_each_pair_of_copies([&](const VerifiedPair& pair, bool same_signs) -> Result<void> {
    LEITONG_TRY(add(pair));
    if (same_signs || !asks_for_losses(limits)) return {};
    // Neither leaves for the other one.
    constexpr Loss kOtherSigns{.other_signs = true};
    LEITONG_TRY(comparable->add_loss(pair.a, pair.b, kOtherSigns));
    return comparable->add_loss(pair.b, pair.a, kOtherSigns);
  }));
  LEITONG_TRY(comparable->sort());
  found.pairs = std::move(comparable);
  found.copies = texts.copies();
  found.copies_apart = texts.copies_apart();
  return texts;
}

Result<void> settle_by_covering(const LossLimits& limits, Precedence& precedence, PairResult& found) {
  LEITONG_ASSIGN(precedence.rank, covering_ranks(*found.pairs, found.copies, found.table.units,
                                                 precedence.protected_count, limits));
  return settle_by_similarity(precedence, found);
}

}  // namespace leitong
