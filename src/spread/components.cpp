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

Positions::Positions(std::span<const TextNumber> texts) {
  order_.reserve(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) order_.emplace_back(texts[i], i);
  std::ranges::sort(order_);
}

Result<std::uint32_t> Positions::of(TextNumber text) const {
  const std::size_t at = find_text(order_, text, &std::pair<TextNumber, std::uint32_t>::first);
  if (at < order_.size()) return order_[at].second;
  return fail(ErrorCode::corrupt, "a text of a pair did not come with it: the files changed meanwhile");
}

Result<std::vector<ComparedPair>> Positions::of(std::span<const PairOfTexts> pairs) const {
  std::vector<ComparedPair> found;
  found.reserve(pairs.size());
  for (const PairOfTexts& pair : pairs) {
    LEITONG_ASSIGN(const std::uint32_t a, of(pair.a));
    LEITONG_ASSIGN(const std::uint32_t b, of(pair.b));
    found.push_back({.a = std::min(a, b),
                     .b = std::max(a, b),
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
