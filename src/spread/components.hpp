// Pairs of texts as the steps take them: by the positions of their texts.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "spread/rows.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {

/// The texts of pairs, ascending, each once.
[[nodiscard]] std::vector<TextNumber> texts_of(std::span<const PairOfTexts> pairs);

/// Texts that pairs connect, by their places in ascending `texts`.
[[nodiscard]] Kinship connected(std::span<const TextNumber> texts, std::span<const PairOfTexts> pairs,
                                const std::function<bool(const PairOfTexts&)>& counts);

/// Pairs by the positions of their texts in `texts`, which may have any order. Fails with corrupt for a text
/// that is not there.
[[nodiscard]] Result<std::vector<ComparedPair>> by_positions(std::span<const TextNumber> texts,
                                                             std::span<const PairOfTexts> pairs);
/// The inverse of it.
[[nodiscard]] std::vector<PairOfTexts> by_texts(std::span<const TextNumber> texts,
                                                std::span<const ComparedPair> pairs);

/// Rows and pairs of whole components.
template <class Row>
struct Block {
  std::span<const Row> rows;
  std::vector<PairOfTexts> pairs;
};

/// Calls `work` with whole components, some at a time. `rows`: texts, those of a component side by side;
/// `pairs`: these and others, by (a, b).
template <class Row, class Work>
Result<void> each_block(std::span<const Row> rows, std::span<const PairOfTexts> pairs, Work work) {
  constexpr std::size_t kRows = 20'000;                   // texts and pairs; a larger component stands alone
  std::vector<std::pair<TextNumber, std::size_t>> order;  // each text, and the number of its component
  std::vector<std::size_t> begins;                        // of components
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].component != rows[i - 1].component) begins.push_back(i);
    order.emplace_back(rows[i].text, begins.size() - 1);
  }
  const std::size_t components = begins.size();
  begins.push_back(rows.size());
  std::ranges::sort(order);
  std::vector<std::vector<std::uint32_t>> of(components);
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const std::size_t at = find_text(order, pairs[i].a, &std::pair<TextNumber, std::size_t>::first);
    if (at < order.size()) of[order[at].second].push_back(i);
  }
  for (std::size_t begin = 0, end; begin < components; begin = end) {
    Block<Row> block;
    std::size_t size = 0;
    for (end = begin; end < components; ++end) {
      const std::size_t more = begins[end + 1] - begins[end] + of[end].size();
      if (end > begin && size + more > kRows) break;
      size += more;
      for (const std::uint32_t i : of[end]) block.pairs.push_back(pairs[i]);
    }
    block.rows = rows.subspan(begins[begin], begins[end] - begins[begin]);
    LEITONG_TRY(work(block));
  }
  return {};
}

}  // namespace leitong::spread
