// Puts pairs in such an order that the documents which they join are compared together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cluster/kinship.hpp"

namespace leitong {

/// Sorts `pairs` by their families: the components that they form, by the first pair of each. Within a family
/// they keep their order. Returns the number of pairs of each family. REQUIRES members a < b. O(pairs +
/// documents). Memory: 4 bytes a document, and the pairs once more.
template <class Pair>
[[nodiscard]] std::vector<std::uint32_t> sort_by_family(std::vector<Pair>& pairs) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  DocId last = 0;
  for (const Pair& pair : pairs) last = std::max(last, pair.b);
  Kinship kinship(std::uint64_t{last} + 1);
  for (const Pair& pair : pairs) kinship.join(pair.a, pair.b);
  const std::vector<DocId> family = kinship.take();

  std::vector<std::uint32_t> number(family.size(), kNone), sizes;
  for (const Pair& pair : pairs) {
    std::uint32_t& of = number[family[pair.a]];
    if (of == kNone) {
      of = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    ++sizes[of];
  }
  std::vector<std::size_t> next(sizes.size());
  for (std::size_t i = 1; i < sizes.size(); ++i) next[i] = next[i - 1] + sizes[i - 1];
  std::vector<Pair> sorted(pairs.size());
  for (Pair& pair : pairs) sorted[next[number[family[pair.a]]]++] = std::move(pair);
  pairs = std::move(sorted);
  return sizes;
}

}  // namespace leitong
