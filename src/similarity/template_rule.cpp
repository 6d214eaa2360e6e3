#include "similarity/template_rule.hpp"

#include <algorithm>
#include <cmath>

#include "similarity/bar.hpp"

namespace leitong {
namespace {

using T = TemplateRule;

/// A value as a part of what is required. A value that fails counts as slightly below 1 at most.
double closeness_of(double value, double asked) noexcept {
  return std::min(value / asked, std::nextafter(1.0, 0.0));
}

}  // namespace

bool is_template(std::uint64_t families, std::uint64_t documents) noexcept {
  return families >= T::kFamilies &&
         static_cast<double>(families) >= T::kFamiliesOfDocuments * static_cast<double>(documents);
}

bool is_site_template(std::uint64_t families, std::uint64_t documents,
                      std::uint64_t families_of_site) noexcept {
  const auto f = static_cast<double>(families);
  return families >= T::kSiteFamilies && f >= T::kFamiliesOfDocuments * static_cast<double>(documents) &&
         f >= T::kPartOfSite * static_cast<double>(families_of_site);
}

LeastRun least_template_run(std::uint64_t documents) noexcept {
  if (documents < T::kRunDocuments) return {};
  const double inside = 12 * (std::log10(static_cast<double>(documents)) - 4);
  return {static_cast<std::uint32_t>(std::lround(inside)),
          static_cast<std::uint32_t>(std::lround(inside / 3))};
}

double enough_in_runs(std::size_t shingles) noexcept {
  return std::max<double>(T::kBare, T::kBarePart * static_cast<double>(shingles));
}

bool OwnText::is_bare() const noexcept { return static_cast<double>(in_runs) < enough_in_runs(shingles); }

namespace {

// By one measure, for texts of which a part was copied: own text is held to the measure as whole texts are,
// and if that fails a passage makes the pair.
SecondDecision decide_part(const Rule& rule, SecondDecision result, const OwnText& a, const OwnText& b,
                           const SharedText& shared) noexcept {
  VerifiedPair& pair = result.pair;
  const auto whole = rule.decide({pair.a, pair.b}, shared.all, a.shingles, b.shingles);
  const auto own = rule.decide({pair.a, pair.b}, shared.own, a.own, b.own);
  result.accepted = true;
  if (whole && (own || shared.own == shared.all)) {
    pair.measure = whole->measure;
    pair.score = whole->score;
  } else if (own) {
    pair.measure = Measure::own_text;
    pair.score = own->score;
  } else if (shared.passage > 0) {
    set_passage(pair, shared.passage, std::min(a.shingles, b.shingles));
  } else {
    const auto needed = rule.shared_needed(a.own, b.own, false);
    result.accepted = false;
    result.closeness = needed ? closeness_of(share(shared.own, *needed), 1) : 0;
  }
  return result;
}

}  // namespace

SecondDecision decide_again(const Rule& rule, const VerifiedPair& pair, const OwnText& a, const OwnText& b,
                            const SharedText& shared, bool rare_counts) noexcept {
  const std::size_t na = a.shingles, nb = b.shingles, n = std::min(na, nb), own = std::min(a.own, b.own);
  const double jaccard = jaccard_of(shared.all, na, nb);
  const double own_jaccard = jaccard_of(shared.own, a.own, b.own), own_containment = share(shared.own, own);
  SecondDecision result{false, pair, 1};
  WithoutTemplate& seen = result.pair.own;
  seen.jaccard = static_cast<float>(own_jaccard);
  seen.containment = static_cast<float>(own_containment);
  seen.template_share = static_cast<float>(share(shared.all - shared.own, shared.all));
  seen.rare_share = static_cast<float>(share(shared.rare, shared.all));
  if (rule.measure) return decide_part(rule, result, a, b, shared);

  if (const auto ordinary = rule.decide({pair.a, pair.b}, shared.all, na, nb)) {
    result.pair.measure = ordinary->measure;
    result.pair.score = ordinary->score;
    if (shared.own == shared.all) {
      result.accepted = true;
    } else if (a.own < na && b.own < nb && a.is_bare() && b.is_bare()) {
      result.accepted = jaccard >= T::kBareJaccard;
      result.closeness = closeness_of(jaccard, T::kBareJaccard);
    } else {
      const bool contains = own >= T::kOwnContainmentMin;
      result.accepted = own_jaccard >= T::kOwnJaccard || (contains && own_containment >= T::kOwnContainment);
      result.closeness = closeness_of(
          std::max(own_jaccard / T::kOwnJaccard, contains ? own_containment / T::kOwnContainment : 0), 1);
    }
    if (result.accepted) result.closeness = 1;
    return result;
  }

  result.closeness = 0;
  const bool both_bare = a.own < na && b.own < nb && a.is_bare() && b.is_bare();
  if (own >= T::kOwnMin && !both_bare) {
    // A copy in the frame of another site: what does not belong to a frame is held to the rule as a text of
    // its own.
    if (const auto alone = rule.decide({pair.a, pair.b}, shared.own, a.own, b.own)) {
      result.accepted = true;
      result.pair.measure = Measure::own_text;
      result.pair.score = alone->score;
      result.closeness = 1;
      return result;
    }
    if (const auto needed = rule.shared_needed(a.own, b.own, false))
      result.closeness = closeness_of(share(shared.own, *needed), 1);
  }
  if (rare_counts && rule.rare_text && n >= T::kRareMin) {
    const double rare = share(shared.rare, na + nb - shared.all);
    if (jaccard >= T::kRareJaccard && rare >= T::kRarePart) {
      result.accepted = true;
      result.pair.measure = Measure::rare_text;
      result.pair.score = static_cast<float>(rare);
      result.closeness = 1;
      return result;
    }
    result.closeness =
        std::max(result.closeness, closeness_of(std::min(jaccard / T::kRareJaccard, rare / T::kRarePart), 1));
  }
  // Noise breaks a template as much as other text, so text that such a pair shares may only seem to be
  // outside of it; therefore the part of own text must be large.
  if (pair.measure == Measure::edit && !both_bare && share(shared.own, shared.all) >= T::kOwnOfNoisy) {
    result.accepted = true;
    result.closeness = 1;
    return result;
  }
  if (const auto needed = rule.shared_needed(na, nb, false))
    result.closeness = std::max(result.closeness, closeness_of(share(shared.all, *needed), 1));
  return result;
}

Rule widened(const Rule& rule) noexcept {
  Rule wide = rule;
  wide.jaccard_short = std::min(wide.jaccard_short, T::kRareJaccard);
  wide.jaccard_long = std::min(wide.jaccard_long, T::kRareJaccard);
  return wide;
}

bool is_framed(std::uint8_t frame) noexcept { return frame >= T::kFramed * UINT8_MAX; }

bool worth_deciding_again(std::size_t shared, std::size_t na, std::size_t nb, std::uint8_t frame) noexcept {
  const std::size_t n = std::min(na, nb);
  if (n >= T::kRareMin && jaccard_of(shared, na, nb) >= T::kRareJaccard) return true;
  if (!is_framed(frame)) return false;
  // The lowest values of any rule: own texts of kOwnMin shingles, and the own texts that the frame leaves,
  // share at least so much.
  constexpr double kLeastJaccard = .30, kLeastContainment = .70;
  constexpr double kOfBoth = kLeastJaccard / (1 + kLeastJaccard);
  const double own = std::max(1 - T::kFrameSlack * frame / UINT8_MAX, 0.0);
  const auto least = std::min(kOfBoth * own * static_cast<double>(na + nb),
                              kLeastContainment * own * static_cast<double>(n));
  return static_cast<double>(shared) >= std::max(kOfBoth * 2 * T::kOwnMin, least);
}

}  // namespace leitong
