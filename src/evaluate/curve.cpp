#include "evaluate/curve.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>

#include "base/hash.hpp"

namespace leitong {
namespace {

constexpr std::size_t kResamples = 1000;

/// What each cluster, or judged pair, adds to the three sums behind a score. A false pair is divided between
/// its two clusters.
struct Contribution {
  double claimed = 0, gold = 0, both = 0;

  Contribution& operator+=(const Contribution& other) {
    claimed += other.claimed;
    gold += other.gold;
    both += other.both;
    return *this;
  }
  [[nodiscard]] Score score() const { return {claimed > 0 ? both / claimed : 1, gold > 0 ? both / gold : 1}; }
};

std::vector<Contribution> contributions(const SplitGold& gold, std::span<const ScoredPair> pairs,
                                        double threshold) {
  std::vector<double> sizes(gold.half.size(), 0);
  for (const Label label : gold.label) ++sizes[label];
  std::vector<Contribution> each(gold.half.size());
  for (std::size_t label = 0; label < each.size(); ++label)
    each[label].gold = sizes[label] * (sizes[label] - 1) / 2;
  for (const ScoredPair& scored : pairs) {
    if (double{scored.score} < threshold) continue;
    const Label a = gold.label[scored.pair.first], b = gold.label[scored.pair.second];
    each[a].claimed += .5;
    each[b].claimed += .5;
    if (a == b) each[a].both += 1;
  }
  return each;
}

std::vector<Contribution> contributions(const SplitPairs& gold, std::span<const ScoredPair> pairs,
                                        double threshold) {
  std::set<DocumentPair> claimed;
  for (const ScoredPair& scored : pairs)
    if (double{scored.score} >= threshold) claimed.insert(std::minmax(scored.pair.first, scored.pair.second));
  std::vector<Contribution> each;
  for (const JudgedPair& judged : gold.pairs) {
    const double found = claimed.contains(std::minmax(judged.pair.first, judged.pair.second)) ? 1 : 0;
    const double same = judged.same ? 1 : 0;
    each.push_back({found, same, found * same});
  }
  return each;
}

template <class Truth>
std::vector<CurvePoint> curve_of(const Truth& gold, std::span<const ScoredPair> pairs,
                                 std::span<const double> thresholds) {
  std::vector<CurvePoint> curve;
  for (const double threshold : thresholds) {
    const std::vector<Contribution> each = contributions(gold, pairs, threshold);
    std::array<Contribution, 2> sums;
    for (std::size_t i = 0; i < each.size(); ++i) sums[static_cast<std::size_t>(gold.half[i])] += each[i];
    curve.push_back({threshold, sums[0].score(), sums[1].score()});
  }
  return curve;
}

template <class Truth>
Interval resample(const Truth& gold, std::span<const ScoredPair> pairs, double threshold, Half half) {
  std::vector<Contribution> each = contributions(gold, pairs, threshold);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < each.size(); ++i)
    if (gold.half[i] == half) each[kept++] = each[i];
  each.resize(kept);
  if (each.empty()) return {};
  std::mt19937_64 random(1);
  std::vector<double> scores;
  for (std::size_t i = 0; i < kResamples; ++i) {
    Contribution sum;
    for (std::size_t drawn = 0; drawn < each.size(); ++drawn) sum += each[random() % each.size()];
    scores.push_back(sum.score().f1());
  }
  std::sort(scores.begin(), scores.end());
  return {scores[kResamples / 40], scores[kResamples - 1 - kResamples / 40]};
}

Half half_of(std::uint64_t name) { return (mix64(name) & 1) == 0 ? Half::tune : Half::test; }

}  // namespace

SplitGold split_gold(std::span<const Label> gold, std::span<const std::uint64_t> names) {
  SplitGold split;
  std::vector<Label> known(gold.begin(), gold.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<std::uint64_t> smallest(known.size(), UINT64_MAX);
  for (std::size_t d = 0; d < gold.size(); ++d) {
    const auto label =
        static_cast<Label>(std::lower_bound(known.begin(), known.end(), gold[d]) - known.begin());
    split.label.push_back(label);
    smallest[label] = std::min(smallest[label], names[d]);
  }
  for (const std::uint64_t name : smallest) split.half.push_back(half_of(name));
  return split;
}

SplitPairs split_pairs(std::vector<JudgedPair> judged, std::span<const std::uint64_t> names) {
  SplitPairs split{std::move(judged), {}};
  for (const auto& [pair, same] : split.pairs)
    split.half.push_back(half_of(names[pair.first] + names[pair.second]));
  return split;
}

std::vector<CurvePoint> threshold_curve(const SplitGold& gold, std::span<const ScoredPair> pairs,
                                        std::span<const double> thresholds) {
  return curve_of(gold, pairs, thresholds);
}

std::vector<CurvePoint> threshold_curve(const SplitPairs& gold, std::span<const ScoredPair> pairs,
                                        std::span<const double> thresholds) {
  return curve_of(gold, pairs, thresholds);
}

Interval bootstrap_f1(const SplitGold& gold, std::span<const ScoredPair> pairs, double threshold, Half half) {
  return resample(gold, pairs, threshold, half);
}

Interval bootstrap_f1(const SplitPairs& gold, std::span<const ScoredPair> pairs, double threshold,
                      Half half) {
  return resample(gold, pairs, threshold, half);
}

}  // namespace leitong
