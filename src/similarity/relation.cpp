#include "similarity/relation.hpp"

#include <algorithm>

namespace leitong {

Relation relation_of(const Loss& loss, std::uint32_t units, std::uint32_t other_units) noexcept {
  // Shares of a text that the other one lacks. Below the first share the difference does not matter. Up to
  // the second the texts differ in edits. Above the third they differ in most of the text. The first two are
  // the losses that `lossless` and `careful` allow.
  constexpr double kNothing = .005, kEdits = .05, kMost = .5;
  const std::uint32_t there = units - std::min(units, loss.lost);
  const double less = loss.share();
  const double more = other_units > there ? static_cast<double>(other_units - there) / other_units : 0;
  const double least = std::min(less, more), most = std::max(less, more);
  if (loss.renamed || (loss.numbers > 0 && most <= kEdits)) return Relation::same_form;
  if (most <= kNothing && !loss.other_signs) return Relation::copy;
  if (least <= kEdits && most > kMost) return Relation::excerpt;
  if (loss.reworded >= loss.lost && loss.reworded_share() > kEdits) return Relation::reworded;
  return least <= kEdits && most > kEdits ? Relation::version : Relation::revision;
}

Relation relation_of(const PairLosses& losses, std::uint32_t units_a, std::uint32_t units_b) noexcept {
  return units_a < units_b ? relation_of(losses.a.value_or(Loss()), units_a, units_b)
                           : relation_of(losses.b.value_or(Loss()), units_b, units_a);
}

}  // namespace leitong
