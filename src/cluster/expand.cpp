#include "cluster/expand.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace leitong {
namespace {

// The copies of each original that has any, as a range of the sorted list.
using Groups = std::unordered_map<DocId, std::span<const Copy>>;

Groups group(std::span<const Copy> copies) {
  Groups groups;
  for (std::size_t i = 0; i < copies.size();) {
    std::size_t j = i;
    while (j < copies.size() && copies[j].original == copies[i].original) ++j;
    groups.emplace(copies[i].original, copies.subspan(i, j - i));
    i = j;
  }
  return groups;
}

// Pairs by either of their documents: indices of pairs, grouped.
struct Adjacency {
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> pairs;

  Adjacency(std::uint64_t documents, std::span<const VerifiedPair> all)
      : begin(documents + 2, 0), pairs(2 * all.size()) {
    for (const VerifiedPair& p : all) ++begin[p.a + 2], ++begin[p.b + 2];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (const DocId d : {all[i].a, all[i].b}) pairs[begin[d + 1]++] = i;
  }
  [[nodiscard]] std::span<const std::uint32_t> of(DocId d) const {
    return std::span(pairs).subspan(begin[d], begin[d + 1] - begin[d]);
  }
};

}  // namespace

Result<void> for_each_pair(std::uint64_t documents, std::span<const VerifiedPair> pairs,
                           std::span<const Copy> copies,
                           const std::function<Result<void>(const VerifiedPair&)>& each) {
  const Groups groups = group(copies);
  const Adjacency adjacency(documents, pairs);
  std::vector<Copy> by_copy(copies.begin(), copies.end());
  std::sort(by_copy.begin(), by_copy.end(), [](const Copy& x, const Copy& y) { return x.copy < y.copy; });
  auto next_copy = by_copy.begin();
  auto copies_of = [&](DocId d) {
    const auto found = groups.find(d);
    return found == groups.end() ? std::span<const Copy>() : found->second;
  };
  auto is_large = [&](DocId d) { return copies_of(d).size() + 1 > kMaxExpanded; };

  std::vector<VerifiedPair> row;  // the pairs of one document with later ones
  for (DocId d = 0; d < documents; ++d) {
    const DocId own = next_copy != by_copy.end() && next_copy->copy == d ? (next_copy++)->original : d;
    row.clear();
    const bool stands = own == d || !is_large(own);
    auto add = [&](DocId other, VerifiedPair pair) {
      if (other <= d) return;
      pair.a = d;
      pair.b = other;
      row.push_back(pair);
    };
    if (stands) {
      for (const Copy& c : copies_of(own)) add(c.copy, {0, 0, 1, 1, 1, Measure::identical});
      for (const std::uint32_t index : adjacency.of(own)) {
        const DocId neighbour = pairs[index].a == own ? pairs[index].b : pairs[index].a;
        add(neighbour, pairs[index]);
        if (!is_large(neighbour))
          for (const Copy& c : copies_of(neighbour)) add(c.copy, pairs[index]);
      }
    }
    std::sort(row.begin(), row.end(), [](const VerifiedPair& x, const VerifiedPair& y) { return x.b < y.b; });
    for (const VerifiedPair& pair : row) LEITONG_TRY(each(pair));
  }
  return {};
}

}  // namespace leitong
