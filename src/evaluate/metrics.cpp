#include "leitong/evaluate.hpp"

#include <algorithm>

namespace leitong {
namespace {

double ratio(double part, double whole) noexcept { return whole > 0 ? part / whole : 1; }

std::uint64_t pairs_among(std::uint64_t n) noexcept { return n < 2 ? 0 : n * (n - 1) / 2; }

/// Calls `each(value, count)` for every run of equal values of a sorted sequence.
template <class T, class Each>
void for_each_run(const std::vector<T>& sorted, const Each& each) {
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    each(sorted[begin], end - begin);
    begin = end;
  }
}

/// The number of documents with each label.
std::vector<std::uint64_t> label_sizes(std::span<const Label> labels) {
  std::vector<Label> sorted(labels.begin(), labels.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint64_t> sizes;
  for_each_run(sorted, [&](Label, std::size_t count) { sizes.push_back(count); });
  return sizes;
}

/// The labels renumbered 0, 1, .. in ascending order, so that they can be indexes.
std::vector<Label> dense(std::span<const Label> labels) {
  std::vector<Label> known(labels.begin(), labels.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<Label> result;
  result.reserve(labels.size());
  for (const Label label : labels)
    result.push_back(static_cast<Label>(std::lower_bound(known.begin(), known.end(), label) - known.begin()));
  return result;
}

std::uint64_t pairs_within(std::span<const std::uint64_t> sizes) {
  std::uint64_t pairs = 0;
  for (const std::uint64_t size : sizes) pairs += pairs_among(size);
  return pairs;
}

void make_set(std::vector<DocumentPair>& pairs) {
  for (DocumentPair& pair : pairs)
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  std::erase_if(pairs, [](const DocumentPair& pair) { return pair.first == pair.second; });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

template <class IsClaimed>
JudgedCounts count_judged(std::span<const JudgedPair> judged, const IsClaimed& is_claimed) {
  JudgedCounts counts;
  for (const JudgedPair& each : judged) {
    const bool claimed = is_claimed(each.pair);
    ++(each.same ? counts.same : counts.different);
    if (claimed) ++(each.same ? counts.claimed_same : counts.claimed_different);
  }
  return counts;
}

}  // namespace

Score PairCounts::score() const noexcept {
  return {ratio(static_cast<double>(both), static_cast<double>(claimed)),
          ratio(static_cast<double>(both), static_cast<double>(gold))};
}

double ClusterMetrics::dedup_rate() const noexcept {
  return documents > 0 ? 1 - static_cast<double>(clusters) / static_cast<double>(documents) : 0;
}

double ClusterMetrics::gold_dedup_rate() const noexcept {
  return documents > 0 ? 1 - static_cast<double>(gold_clusters) / static_cast<double>(documents) : 0;
}

double JudgedCounts::accuracy() const noexcept {
  return ratio(static_cast<double>(claimed_same + (different - claimed_different)),
               static_cast<double>(same + different));
}

ClusterMetrics cluster_metrics(std::span<const Label> gold, std::span<const Label> result) {
  const std::vector<std::uint64_t> gold_sizes = label_sizes(gold), sizes = label_sizes(result);
  const std::vector<Label> gold_label = dense(gold), label = dense(result);

  ClusterMetrics metrics;
  metrics.documents = gold.size();
  metrics.clusters = sizes.size();
  metrics.gold_clusters = gold_sizes.size();
  metrics.pairs = {pairs_within(sizes), pairs_within(gold_sizes), 0};

  std::vector<std::pair<Label, Label>> cells;
  cells.reserve(gold.size());
  for (std::size_t d = 0; d < gold.size(); ++d) cells.emplace_back(gold_label[d], label[d]);
  std::sort(cells.begin(), cells.end());
  double precision = 0, recall = 0;
  for_each_run(cells, [&](const std::pair<Label, Label>& cell, std::size_t count) {
    metrics.pairs.both += pairs_among(count);
    const double square = static_cast<double>(count) * static_cast<double>(count);
    precision += square / static_cast<double>(sizes[cell.second]);
    recall += square / static_cast<double>(gold_sizes[cell.first]);
  });
  const auto n = static_cast<double>(gold.size());
  metrics.b_cubed = {ratio(precision, n), ratio(recall, n)};

  const auto claimed = static_cast<double>(metrics.pairs.claimed),
             truth = static_cast<double>(metrics.pairs.gold);
  const double by_chance =
      gold.size() < 2 ? 0 : claimed * truth / static_cast<double>(pairs_among(gold.size()));
  const double most = (claimed + truth) / 2;
  metrics.adjusted_rand =
      most == by_chance ? 1 : (static_cast<double>(metrics.pairs.both) - by_chance) / (most - by_chance);
  return metrics;
}

PairCounts pair_metrics(std::span<const Label> gold, std::vector<DocumentPair> claimed) {
  make_set(claimed);
  PairCounts counts{claimed.size(), pairs_within(label_sizes(gold)), 0};
  for (const auto& [a, b] : claimed) counts.both += gold[a] == gold[b] ? 1 : 0;
  return counts;
}

JudgedCounts judged_metrics(std::span<const JudgedPair> judged, std::span<const Label> result) {
  return count_judged(judged,
                      [&](const DocumentPair& pair) { return result[pair.first] == result[pair.second]; });
}

JudgedCounts judged_metrics(std::span<const JudgedPair> judged, std::vector<DocumentPair> claimed) {
  make_set(claimed);
  return count_judged(judged, [&](const DocumentPair& pair) {
    return std::binary_search(claimed.begin(), claimed.end(),
                              DocumentPair(std::minmax(pair.first, pair.second)));
  });
}

}  // namespace leitong
