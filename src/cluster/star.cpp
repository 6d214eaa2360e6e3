#include "cluster/star.hpp"

#include <algorithm>
#include <numeric>

namespace leitong {
namespace {

/// Pairs listed at the document that goes first: indices of pairs, grouped by that document.
struct Neighbours {
  std::vector<std::uint32_t> begin;  // of each document's group, documents + 1 of them
  std::vector<std::uint32_t> pairs;

  [[nodiscard]] std::span<const std::uint32_t> of(DocId document) const {
    return std::span(pairs).subspan(begin[document], begin[document + 1] - begin[document]);
  }
};

template <class Goes>
Neighbours list_at_first(std::uint64_t documents, std::span<const VerifiedPair> pairs,
                         const Goes& goes_before) {
  const auto first = [&](const VerifiedPair& pair) { return goes_before(pair.a, pair.b) ? pair.a : pair.b; };
  Neighbours lists;
  lists.begin.assign(documents + 1, 0);
  for (const VerifiedPair& pair : pairs) ++lists.begin[first(pair) + 1];
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.pairs.resize(pairs.size());
  // Filled from the back, begin[d + 1] walks down to where group d begins; shifting by one saves a second
  // array of cursors.
  for (std::size_t i = pairs.size(); i-- > 0;)
    lists.pairs[--lists.begin[first(pairs[i]) + 1]] = static_cast<std::uint32_t>(i);
  std::rotate(lists.begin.begin(), lists.begin.begin() + 1, lists.begin.end());
  lists.begin.back() = static_cast<std::uint32_t>(pairs.size());
  return lists;
}

DocId find_root(std::vector<DocId>& parent, DocId document) {
  while (parent[document] != document) {
    parent[document] = parent[parent[document]];
    document = parent[document];
  }
  return document;
}

}  // namespace

std::vector<Decision> star_clusters(std::uint64_t documents, std::span<const VerifiedPair> pairs,
                                    std::vector<std::uint32_t> rank, DocId protected_count) {
  const auto is_protected = [&](DocId document) { return document < protected_count; };
  const auto goes_before = [&](DocId a, DocId b) {
    return is_protected(a) != is_protected(b) ? is_protected(a) : rank[a] < rank[b];
  };
  const Neighbours lists = list_at_first(documents, pairs, goes_before);

  std::vector<DocId> by_rank(documents);
  for (std::uint64_t d = 0; d < documents; ++d) by_rank[rank[d]] = static_cast<DocId>(d);
  rank = std::vector<std::uint32_t>();  // {} would keep the memory

  std::vector<Decision> decisions(documents);
  const auto left = [&](DocId d) { return decisions[d].kept != kNoDocument && decisions[d].kept != d; };
  const auto gather = [&](DocId stays) {
    if (left(stays)) return;
    for (const std::uint32_t index : lists.of(stays)) {
      const DocId other = pairs[index].a == stays ? pairs[index].b : pairs[index].a;
      Decision& decision = decisions[other];
      if (is_protected(other)) continue;
      const bool again = decision.kept == stays && pairs[index].score > pairs[decision.pair].score;
      if (left(other) && !again) continue;
      decision = {stays, index};
      decisions[stays].kept = stays;
    }
  };
  for (const bool protected_ones : {true, false})
    for (const DocId d : by_rank)
      if (is_protected(d) == protected_ones) gather(d);
  return decisions;
}

std::vector<DocId> connected_components(std::uint64_t documents, std::span<const VerifiedPair> pairs) {
  std::vector<DocId> parent(documents);
  std::iota(parent.begin(), parent.end(), DocId{0});
  for (const VerifiedPair& pair : pairs) {
    const DocId a = find_root(parent, pair.a), b = find_root(parent, pair.b);
    // The smaller number becomes the root, so the result needs no second pass to be canonical.
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint64_t d = 0; d < documents; ++d) parent[d] = find_root(parent, static_cast<DocId>(d));
  return parent;
}

}  // namespace leitong
