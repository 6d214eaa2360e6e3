#include "online/decide_pair.hpp"

#include "feature/shingles.hpp"
#include "similarity/intersect.hpp"

namespace leitong::online {

std::span<const std::uint32_t> Shingled::distinct() {
  if (!has_set_) shingle_set(units_, distinct_, scratch_);
  has_set_ = true;
  return distinct_;
}

void Shingled::make_order() {
  if (has_order_) return;
  shingle_hashes(units_, ordered_);
  lookup_ = HashLookup(distinct());
  has_order_ = true;
}

std::span<const std::uint32_t> Shingled::ordered() {
  make_order();
  return ordered_;
}

const HashLookup& Shingled::lookup() {
  make_order();
  return lookup_;
}

PairDecision decide_pair(const Rule& rule, bool template_only, Shingled& a, Shingled& b) {
  const std::size_t na = a.distinct().size(), nb = b.distinct().size();
  PairDecision decision;
  if (na == 0 || nb == 0 || !rule.reachable(na, nb)) return decision;
  const std::size_t shared = intersection_size(a.distinct(), b.distinct());
  const VerifiedPair figures = measured({0, 1}, shared, na, nb);
  decision.jaccard = figures.jaccard;
  decision.containment = figures.containment;
  decision.accepted = rule.decide({0, 1, 0, template_only}, shared, na, nb);
  if (decision.accepted || !template_only) return decision;
  const auto ordinary = rule.decide({0, 1}, shared, na, nb);
  if (!ordinary) return decision;
  if (ordinary->measure == Measure::jaccard && shared_throughout(a.ordered(), b.lookup()) &&
      shared_throughout(b.ordered(), a.lookup()))
    decision.accepted = ordinary;
  else
    decision.refused_as_template = true;
  return decision;
}

}  // namespace leitong::online
