// Verified pairs as a list in order of (a, b), each once.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "similarity/pair.hpp"

namespace leitong {

/// The order of candidates and of pairs.
inline constexpr auto kByDocuments = [](const auto& x, const auto& y) {
  return std::pair(x.a, x.b) < std::pair(y.a, y.b);
};

/// O(log n).
[[nodiscard]] inline bool contains(const std::vector<VerifiedPair>& pairs, DocId a, DocId b) {
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), VerifiedPair{a, b}, kByDocuments);
  return at != pairs.end() && at->a == a && at->b == b;
}

/// Adds pairs that the list doesn't hold, in any order.
inline void merge_into(std::vector<VerifiedPair>& pairs, std::vector<VerifiedPair> more) {
  std::sort(more.begin(), more.end(), kByDocuments);
  pairs.reserve(pairs.size() + more.size());  // no more: they may be what takes most of the memory
  const auto middle = pairs.insert(pairs.end(), more.begin(), more.end());
  more = std::vector<VerifiedPair>();  // the merge takes as much
  std::inplace_merge(pairs.begin(), middle, pairs.end(), kByDocuments);
}

}  // namespace leitong
