#include "online/decide_pair.hpp"

#include <algorithm>
#include <iterator>

#include "feature/shingles.hpp"
#include "similarity/intersect.hpp"
#include "similarity/noise.hpp"
#include "similarity/own_runs.hpp"
#include "similarity/template_rule.hpp"
#include "text/signs.hpp"

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

TemplatesOfText Shingled::templates(const View& view) {
  if (!has_templates_) {
    marked_.clear();
    templates_.clear();
    if (view.knows_templates())
      view.for_each_template(distinct(), [&](std::size_t i) { marked_.push_back(distinct_[i]); });
    if (!marked_.empty()) {
      templates_.append(marked_);
      keep_runs(ordered(), view.least_run(), templates_);
    }
    has_templates_ = true;
  }
  return {templates_, marked_};
}

namespace {

/// Decides the pair without templates.
SecondDecision decide_own(const Rule& rule, const View& view, const VerifiedPair& pair, std::size_t shared,
                          Shingled& a, Shingled& b) {
  const SharedText text{shared, shared - shared_templates(a.templates(view), b.templates(view)), 0};
  return decide_again(rule, pair, a.own(view), b.own(view), text, false);
}

/// Does this text have a run of shingles that the other one lacks?
bool has_own_run(Shingled& text, std::size_t shared, Shingled& other) {
  return text.ordered().size() >= shared + kOwnRun && own_runs(text.ordered(), other.lookup()).own > 0;
}

bool is_one_work(std::size_t shared, Shingled& a, Shingled& b) {
  const auto lookup_a = [&]() -> const HashLookup& { return a.lookup(); };
  const auto lookup_b = [&]() -> const HashLookup& { return b.lookup(); };
  return are_same_work(a.ordered(), b.ordered(), shared, lookup_a, lookup_b, is_reprint);
}

}  // namespace

bool share_too_little(const Rule& rule, std::size_t shared, std::size_t own_a, std::size_t own_b) noexcept {
  // One shingle more, because measures are rounded.
  return static_cast<double>(shared + 1) < rule.least_share() * static_cast<double>(std::min(own_a, own_b));
}

PairDecision decide_pair(const Rule& rule, const View& view, Shingled& a, Shingled& b) {
  const std::size_t na = a.distinct().size(), nb = b.distinct().size();
  PairDecision decision;
  if (a.has_units_of(b)) {
    decision.accepted = copies_of_one(0, 1, false);
    decision.accepted->standing = PairStanding::same_work;
    decision.jaccard = decision.containment = 1;
    decision.shared = na;
    decision.meets_rule = true;
    return decision;
  }
  if (na == 0 || nb == 0) return decision;
  const std::size_t shared = intersection_size(a.distinct(), b.distinct());
  const VerifiedPair figures = measured({0, 1}, shared, na, nb);
  decision.jaccard = figures.jaccard;
  decision.containment = figures.containment;
  decision.shared = shared;
  decision.accepted = rule.decide({0, 1}, shared, na, nb);
  if (!decision.accepted && allows_noise(rule)) {
    const double likeness = noisy_likeness(a.units(), a.distinct(), b.units(), b.distinct(), shared);
    if (likeness > 0) {
      set_noisy(decision.accepted.emplace(figures), likeness);
      decision.accepted->standing = PairStanding::ordinary;
    }
  }
  decision.meets_rule = decision.accepted.has_value();
  const bool one_work =
      decision.meets_rule && decision.accepted->measure != Measure::edit && is_one_work(shared, a, b);
  if (one_work) {
    decision.accepted->standing = PairStanding::same_work;
    // If each text has a run of its own, the shared part may be the frame of two short texts.
    if (!has_own_run(a, shared, b) || !has_own_run(b, shared, a)) return decision;
  }
  decision.asked_templates =
      decision.meets_rule ||
      worth_deciding_again(shared, na, nb, Candidate::kAnyFrame);  // frames are not known here
  const auto may_change = [&] {
    const std::size_t of_a = a.templates(view).templates.size(), of_b = b.templates(view).templates.size();
    return of_a + of_b > 0 && (decision.meets_rule || !share_too_little(rule, shared, na - of_a, nb - of_b));
  };
  if (decision.asked_templates && may_change()) {
    const SecondDecision again =
        decide_own(rule, view, decision.meets_rule ? *decision.accepted : figures, shared, a, b);
    if (again.accepted) {
      decision.accepted = again.pair;
    } else {
      decision.accepted.reset();
      if (decision.meets_rule) decision.refused_as_template = again.pair.own;
    }
  }
  decision.shows_template =
      !one_work &&
      (decision.meets_rule || (!decision.accepted && decision.containment >= kTemplateContainment));
  return decision;
}

VerifiedPair figures_now(const VerifiedPair& first, const View& view, Shingled& text, Shingled& match) {
  const std::size_t shared = intersection_size(text.distinct(), match.distinct());
  const VerifiedPair now = measured({0, 1}, shared, text.distinct().size(), match.distinct().size());
  if (now.jaccard == first.jaccard && now.containment == first.containment) return first;
  return decide_pair(Rule(), view, text, match).accepted.value_or(now);
}

void append_shared(Shingled& a, Shingled& b, std::vector<std::uint32_t>& shared) {
  std::ranges::set_intersection(a.distinct(), b.distinct(), std::back_inserter(shared));
}

Loss LossOfText::find(const View& view, const Folding& folding, const WrittenText& text,
                      const WrittenText& match) {
  if (text.shingled.has_units_of(match.shingled))
    return {.other_signs = signs_hash(text.bytes, folding) != signs_hash(match.bytes, folding)};
  const std::span<const Unit> units = text.shingled.units();
  const std::span<const std::uint32_t> shingles = text.shingled.ordered(), others = match.shingled.ordered();
  mark_template_units(shingles, text.shingled.templates(view).templates, units.size(), in_template_);
  ShinglePlaces places(others);
  const LossFound found = finder_.find({units, shingles, in_template_, own_units(units.size(), in_template_)},
                                       {match.shingled.units(), others, {}, 1}, places);
  return loss_of(found, text.bytes, match.bytes, folding);
}

}  // namespace leitong::online
