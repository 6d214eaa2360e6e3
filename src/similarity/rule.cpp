#include "similarity/rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "feature/shingles.hpp"
#include "similarity/bar.hpp"

namespace leitong {

static_assert(Rule().shingle_units == kShingleUnits);

namespace {

// The bends of t(n), measured on four labelled sets. F1 is nearly constant around these values.
constexpr double kShortShingles = 100;
constexpr double kLongShingles = 300;

// The most repetition that is assumed within a text of which only the number of units is known.
constexpr std::size_t kMostRepetition = 16;

double containment_of(std::size_t shared, std::size_t na, std::size_t nb) noexcept {
  return static_cast<double>(shared) / static_cast<double>(std::min(na, nb));
}

/// The number of shingles, repeated ones included.
std::size_t shingles_of(std::size_t units, std::size_t length) noexcept {
  if (units < length) return units == 0 ? 0 : 1;
  return units - length + 1;
}

/// The numbers of shingles with which two texts of so many units are most easily similar: the smaller set is
/// as large and the larger set as small as possible, since n / t(n) and n grow with n.
std::pair<std::size_t, std::size_t> likeliest_sizes(std::size_t units_a, std::size_t units_b,
                                                    std::size_t length) noexcept {
  const auto [shorter, longer] = std::minmax(units_a, units_b);
  const std::size_t largest_n = shingles_of(shorter, length);
  return {largest_n, std::max(largest_n, shingles_of(longer, length) / kMostRepetition)};
}

bool meets(const Bar& bar, std::size_t shared, std::size_t na, std::size_t nb) noexcept {
  return jaccard_of(shared, na, nb) >= bar.jaccard || containment_of(shared, na, nb) >= bar.containment;
}

}  // namespace

Bar bar_of(const Rule& rule, std::size_t na, std::size_t nb, bool template_only) noexcept {
  const auto [n, larger] = std::minmax(na, nb);
  const bool long_enough = n >= rule.containment_min && larger <= rule.containment_max;
  Bar bar;
  if (rule.measure) {
    if (*rule.measure == Measure::jaccard) bar.jaccard = rule.threshold;
    if (*rule.measure == Measure::containment && long_enough) bar.containment = rule.threshold;
    return bar;
  }
  bar.jaccard = rule.jaccard_at_least(static_cast<double>(n));
  if (long_enough) bar.containment = rule.containment;
  if (template_only) {
    bar.jaccard = std::max(bar.jaccard, rule.template_jaccard);
    bar.containment = std::max(bar.containment, rule.template_containment);
  }
  return bar;
}

double Rule::jaccard_at_least(double n) const noexcept {
  if (n <= kShortShingles) return jaccard_short;
  if (n >= kLongShingles) return jaccard_long;
  return jaccard_short + (jaccard_long - jaccard_short) * std::log(n / kShortShingles) /
                             std::log(kLongShingles / kShortShingles);
}

bool Rule::reachable(std::size_t na, std::size_t nb) const noexcept {
  const auto [n, larger] = std::minmax(na, nb);
  if (n == 0) return false;
  // Every edit changes the length by at most one, so the distance is at least the difference.
  if (measure == Measure::edit)
    return 1 - static_cast<double>(larger - n) / static_cast<double>(larger) >= threshold;
  if (passage_units > 0 && n + kShingleUnits > passage_units) return true;
  return meets(bar_of(*this, na, nb, false), n, na, nb);
}

bool Rule::worth_verifying(std::size_t units_a, std::size_t units_b) const noexcept {
  if (measure == Measure::edit) return reachable(units_a, units_b);
  const auto [na, nb] = likeliest_sizes(units_a, units_b, shingle_units);
  return reachable(na, nb);
}

std::optional<std::size_t> Rule::shared_needed_of_units(std::size_t units_a,
                                                        std::size_t units_b) const noexcept {
  const auto [na, nb] = likeliest_sizes(units_a, units_b, shingle_units);
  return shared_needed(na, nb, false);
}

std::optional<std::size_t> Rule::shared_needed(std::size_t na, std::size_t nb,
                                               bool template_only) const noexcept {
  const std::size_t most = std::min(na, nb);
  if (most == 0) return std::nullopt;
  const Bar bar = bar_of(*this, na, nb, template_only);
  if (!meets(bar, most, na, nb)) return std::nullopt;
  const double by_jaccard = bar.jaccard / (1 + bar.jaccard) * static_cast<double>(na + nb);
  const double by_containment = bar.containment * static_cast<double>(most);
  // An infinite bar gives NaN for Jaccard, which std::fmin ignores.
  const double estimate = std::fmin(by_jaccard, by_containment);
  auto needed = static_cast<std::size_t>(std::clamp(estimate, 0.0, static_cast<double>(most)));
  // The estimate, rounded down, is never too large; meets() decides exactly.
  while (!meets(bar, needed, na, nb)) ++needed;
  return needed;
}

std::optional<VerifiedPair> Rule::decide(const Candidate& candidate, std::size_t shared, std::size_t na,
                                         std::size_t nb) const noexcept {
  if (na == 0 || nb == 0) return std::nullopt;
  const Bar bar = bar_of(*this, na, nb, candidate.template_only);
  if (!meets(bar, shared, na, nb)) return std::nullopt;
  VerifiedPair pair = measured(candidate, shared, na, nb);
  if (jaccard_of(shared, na, nb) < bar.jaccard) {
    pair.measure = Measure::containment;
    pair.score = pair.containment;
  }
  return pair;
}

double Rule::least_share() const noexcept {
  // |A n B| >= t / (1 + t) (|A| + |B|), and the larger set has at least the smaller one's size.
  auto share_of_jaccard = [](double t) { return 2 * t / (1 + t); };
  if (measure) return measure == Measure::containment ? threshold : share_of_jaccard(threshold);
  return std::min(share_of_jaccard(std::min(jaccard_short, jaccard_long)), containment);
}

Rule rule_of_measure(Measure measure, double threshold) noexcept {
  Rule rule;
  rule.measure = measure;
  rule.threshold = threshold;
  rule.containment_min = 1;
  rule.containment_max = std::numeric_limits<std::uint32_t>::max();
  return rule;
}

Rule strict_rule() noexcept {
  Rule rule;
  rule.jaccard_short = .40;
  rule.jaccard_long = .50;
  rule.containment = .80;
  rule.rare_text = false;
  return rule;
}

Rule reuse_rule() noexcept {
  Rule rule;
  rule.measure = Measure::containment;
  rule.threshold = .15;
  rule.passage_units = 60;
  return rule;
}

void set_passage(VerifiedPair& pair, std::size_t units, std::size_t n) noexcept {
  pair.measure = Measure::passage;
  pair.passage_units = static_cast<std::uint16_t>(std::min<std::size_t>(units, UINT16_MAX));
  const auto shingles = static_cast<double>(units - kShingleUnits + 1);
  pair.score = static_cast<float>(std::min(1.0, shingles / static_cast<double>(n)));
}

VerifiedPair measured(const Candidate& candidate, std::size_t shared, std::size_t na,
                      std::size_t nb) noexcept {
  const auto jaccard = static_cast<float>(jaccard_of(shared, na, nb));
  return {candidate.a, candidate.b,     jaccard, static_cast<float>(containment_of(shared, na, nb)),
          jaccard,     Measure::jaccard};
}

}  // namespace leitong
