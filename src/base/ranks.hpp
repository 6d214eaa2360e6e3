// The rank of each thing in an order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace leitong {

/// For each of `count` things its rank in the order of `before(x, y)`; equal things keep the order of their
/// numbers. 0 is the first. O(n log n).
template <class Before>
[[nodiscard]] std::vector<std::uint32_t> ranks_by(std::size_t count, Before before) {
  std::vector<std::uint32_t> order(count), rank(count);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(), before);
  for (std::uint32_t place = 0; place < count; ++place) rank[order[place]] = place;
  return rank;
}

}  // namespace leitong
