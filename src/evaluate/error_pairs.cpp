#include "evaluate/error_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace leitong {
namespace {

constexpr std::size_t kLookedAtOfCluster = 10'000;

/// Calls each(a, b) for pairs of documents with equal labels.
template <class Each>
void for_pairs_within(std::span<const Label> labels, Each each) {
  std::vector<std::uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return labels[x] < labels[y]; });
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    for (end = begin + 1; end < order.size() && labels[order[end]] == labels[order[begin]];) ++end;
    std::size_t left = kLookedAtOfCluster;
    for (std::size_t step = 1; step < end - begin && left > 0; ++step)
      for (std::size_t i = begin; i + step < end && left > 0; ++i, --left) each(order[i], order[i + step]);
  }
}

void choose(std::vector<DocumentPair>& pairs, std::size_t most) {
  if (pairs.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) pairs[i] = pairs[i * pairs.size() / most];
  pairs.resize(most);
}

ErrorPairs chosen(ErrorPairs errors, std::size_t most) {
  choose(errors.false_positives, most);
  choose(errors.false_negatives, most);
  return errors;
}

void put_in_order(std::vector<DocumentPair>& pairs) {
  std::erase_if(pairs, [](const DocumentPair& pair) { return pair.first == pair.second; });
  for (DocumentPair& pair : pairs)
    if (pair.second < pair.first) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

bool holds(const std::vector<DocumentPair>& sorted, const DocumentPair& pair) {
  return std::binary_search(sorted.begin(), sorted.end(), DocumentPair(std::minmax(pair.first, pair.second)));
}

template <class IsClaimed>
ErrorPairs judged_errors(std::span<const JudgedPair> judged, const IsClaimed& is_claimed) {
  ErrorPairs errors;
  for (const JudgedPair& each : judged) {
    if (is_claimed(each.pair) == each.same) continue;
    (each.same ? errors.false_negatives : errors.false_positives).push_back(each.pair);
  }
  return errors;
}

}  // namespace

ErrorPairs error_pairs(std::span<const Label> gold, std::vector<DocumentPair> claimed, std::size_t most) {
  put_in_order(claimed);
  ErrorPairs errors;
  for (const DocumentPair& pair : claimed)
    if (gold[pair.first] != gold[pair.second]) errors.false_positives.push_back(pair);
  for_pairs_within(gold, [&](std::uint32_t a, std::uint32_t b) {
    if (!holds(claimed, {a, b})) errors.false_negatives.emplace_back(a, b);
  });
  return chosen(std::move(errors), most);
}

ErrorPairs error_pairs(std::span<const Label> gold, std::span<const Label> result, std::size_t most) {
  ErrorPairs errors;
  for_pairs_within(result, [&](std::uint32_t a, std::uint32_t b) {
    if (gold[a] != gold[b]) errors.false_positives.emplace_back(a, b);
  });
  for_pairs_within(gold, [&](std::uint32_t a, std::uint32_t b) {
    if (result[a] != result[b]) errors.false_negatives.emplace_back(a, b);
  });
  return chosen(std::move(errors), most);
}

ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::vector<DocumentPair> claimed,
                       std::size_t most) {
  put_in_order(claimed);
  return chosen(judged_errors(judged, [&](const DocumentPair& pair) { return holds(claimed, pair); }), most);
}

ErrorPairs error_pairs(std::span<const JudgedPair> judged, std::span<const Label> result, std::size_t most) {
  return chosen(
      judged_errors(judged,
                    [&](const DocumentPair& pair) { return result[pair.first] == result[pair.second]; }),
      most);
}

}  // namespace leitong
