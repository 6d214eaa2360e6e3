#include "spread/components.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"

namespace leitong::spread {

std::vector<TextNumber> texts_of(std::span<const PairOfTexts> pairs) {
  std::vector<TextNumber> texts;
  texts.reserve(2 * pairs.size());
  for (const PairOfTexts& pair : pairs) texts.insert(texts.end(), {pair.a, pair.b});
  sort_unique(texts);
  return texts;
}

Kinship connected(std::span<const TextNumber> texts, std::span<const PairOfTexts> pairs,
                  const std::function<bool(const PairOfTexts&)>& counts) {
  Kinship kinship(texts.size());
  for (const PairOfTexts& pair : pairs)
    if (counts(pair)) kinship.join(find_text(texts, pair.a), find_text(texts, pair.b));
  kinship.shorten();
  return kinship;
}

Result<std::vector<ComparedPair>> by_positions(std::span<const TextNumber> texts,
                                               std::span<const PairOfTexts> pairs) {
  using Entry = std::pair<TextNumber, std::uint32_t>;
  std::vector<Entry> order;
  order.reserve(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) order.emplace_back(texts[i], i);
  std::ranges::sort(order);
  std::vector<ComparedPair> found;
  found.reserve(pairs.size());
  for (const PairOfTexts& pair : pairs) {
    const std::size_t x = find_text(order, pair.a, &Entry::first),
                      y = find_text(order, pair.b, &Entry::first);
    if (std::max(x, y) == order.size())
      return fail(ErrorCode::corrupt, "a text of a pair did not come with it: the files changed meanwhile");
    found.push_back({.a = std::min(order[x].second, order[y].second),
                     .b = std::max(order[x].second, order[y].second),
                     .jaccard = pair.jaccard,
                     .containment = pair.containment,
                     .score = pair.score,
                     .measure = pair.measure,
                     .standing = pair.standing});
  }
  return found;
}

std::vector<PairOfTexts> by_texts(std::span<const TextNumber> texts, std::span<const ComparedPair> pairs) {
  std::vector<PairOfTexts> found;
  found.reserve(pairs.size());
  for (const ComparedPair& pair : pairs)
    found.push_back({.a = std::max(texts[pair.a], texts[pair.b]),
                     .b = std::min(texts[pair.a], texts[pair.b]),
                     .jaccard = pair.jaccard,
                     .containment = pair.containment,
                     .score = pair.score,
                     .measure = pair.measure,
                     .standing = pair.standing,
                     .round = pair.round});
  return found;
}

}  // namespace leitong::spread
