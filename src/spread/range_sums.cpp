// Adds up what the ranges of keys say of texts and pairs, and decides by the sums.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "spread/steps.hpp"
#include "spread/text_numbers.hpp"

namespace leitong::spread {
namespace {

static_assert(sizeof(TextWorth) == 24);

std::vector<TallyOfText> sum_tallies(std::span<const TallyOfText> given) {
  TextNumbers numbers;
  std::vector<TallyOfText> sums;
  for (const TallyOfText& one : given) {
    const std::uint32_t number = numbers(one.text);
    if (number == sums.size()) sums.push_back({.text = one.text});
    for (const unsigned tier : {0U, 1U}) {
      KeyTally& sum = sums[number].tallies[tier];
      const KeyTally& more = one.tallies[tier];
      sum.shared += more.shared;
      sum.hot += more.hot;
      for (std::size_t c = 0; c < sum.weight.size(); ++c) sum.weight[c] += more.weight[c];
    }
  }
  std::ranges::sort(sums, {}, &TallyOfText::text);
  return sums;
}

// What texts are worth, each looked up once.
class Worths {
 public:
  explicit Worths(std::span<const std::span<const TextWorth>> parts) : parts_(parts) {}

  // Valid until the next call. nullptr: it is not known.
  const TextWorth* of(std::int64_t text) {
    const std::uint32_t number = numbers_(text);
    if (number == found_.size()) found_.push_back(find(text));
    return found_[number];
  }

 private:
  [[nodiscard]] const TextWorth* find(std::int64_t text) const {
    for (const auto& part : parts_) {
      if (part.empty() || part.back().text < text) continue;
      const auto at = std::ranges::lower_bound(part, text, {}, &TextWorth::text);
      return at->text == text ? &*at : nullptr;
    }
    return nullptr;
  }

  std::span<const std::span<const TextWorth>> parts_;
  TextNumbers numbers_;
  std::vector<const TextWorth*> found_;
};

}  // namespace

std::vector<KeysOfPair> sum_pairs(std::span<const KeysOfPair> given) {
  struct Row {
    std::uint64_t pair, at;
  };
  TextNumbers numbers;
  PodVector<Row> rows, scratch;
  rows.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::uint64_t text = numbers(given[i].text);
    rows.push_back({text << 32 | numbers(given[i].leader), i});
  }
  const std::vector<std::uint32_t> places = numbers.sort();
  const auto bits = static_cast<unsigned>(std::bit_width(places.size()));
  for (Row& row : rows)
    row.pair = std::uint64_t{places[row.pair >> 32]} << bits | places[static_cast<std::uint32_t>(row.pair)];
  radix_sort(rows, scratch, 0, 2 * bits, [](const Row& row) { return row.pair; });
  std::vector<KeysOfPair> sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const KeysOfPair& one = given[rows[i].at];
    if (i == 0 || rows[i].pair != rows[i - 1].pair) {
      sums.push_back(one);
      continue;
    }
    for (std::size_t c = 0; c < one.shared.size(); ++c) sums.back().shared[c] += one.shared[c];
    sums.back().stars += one.stars;
  }
  return sums;
}

Result<std::vector<TextWorth>> Steps::weigh_range(std::span<const TallyOfText> tallies,
                                                  std::span<const TextKeys> texts) const {
  std::vector<TextWorth> worth;
  auto text = texts.begin();
  for (const TallyOfText& sum : sum_tallies(tallies)) {
    while (text != texts.end() && text->text < sum.text) ++text;
    if (text == texts.end() || text->text != sum.text)
      return fail(ErrorCode::invalid_argument, fmt::format("the text {} has keys and is unknown", sum.text));
    worth.push_back({text->text, text->units, weigh(text->keys, sum.tallies)});
  }
  return worth;
}

Result<std::vector<LikelyPair>> Steps::judge_range(std::span<const KeysOfPair> pairs,
                                                   std::span<const std::span<const TextWorth>> worth) const {
  Worths known(worth);
  std::vector<LikelyPair> likely;
  for (const KeysOfPair& sum : sum_pairs(pairs)) {
    PairEvidence of{.shared = sum.shared, .stars = static_cast<std::uint32_t>(sum.stars)};
    for (const unsigned end : {0U, 1U}) {
      const std::int64_t text = end == 0 ? sum.text : sum.leader;
      const TextWorth* const one = known.of(text);
      if (one == nullptr)
        return fail(ErrorCode::invalid_argument, fmt::format("the text {} of a pair is unknown", text));
      of.units[end] = one->units;
      of.weights[end] = one->weight;
    }
    if (const auto judged = judge(of)) likely.push_back({sum.text, sum.leader, *judged});
  }
  return likely;
}

}  // namespace leitong::spread
