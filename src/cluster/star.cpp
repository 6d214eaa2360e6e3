#include "cluster/star.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/halves.hpp"
#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "io/partitions.hpp"

namespace leitong {
namespace {

// A pair at the document that goes first: the rank of that one and the other document, the pair's number and
// the first document.
using Entry = std::array<std::uint64_t, 2>;

// Lists the pairs at the documents that go first, in partitions that rise with their ranks: the first half is
// of protected documents, which go before all others.
Result<void> list_at_first(std::uint64_t documents, const PairStore& pairs,
                           const std::vector<std::uint32_t>& rank, DocId protected_count, Partitions& lists) {
  constexpr unsigned kHalf = Partitions::kCount / 2;
  const unsigned shift = Partitions::shift_for(documents, kHalf);
  const auto half = [&](DocId d) { return d < protected_count ? 0U : kHalf; };
  Partitions::Writer writer(lists);
  std::uint32_t number = 0;
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) -> Result<void> {
    auto [first, other] = std::pair(pair.a, pair.b);
    if (std::pair(half(other), rank[other]) < std::pair(half(first), rank[first])) std::swap(first, other);
    return writer.append(half(first) + (rank[first] >> shift),
                         Entry{join_halves(rank[first], other), join_halves(number++, first)});
  }));
  return writer.flush();
}

}  // namespace

Result<std::vector<Decision>> star_clusters(std::uint64_t documents, const PairStore& pairs,
                                            std::vector<std::uint32_t> rank, DocId protected_count) {
  if (pairs.size() >= UINT32_MAX)
    return fail(ErrorCode::limit, "4,294,967,295 pairs and more are similar; raise the threshold");
  Partitions lists(pairs.run());
  LEITONG_TRY(list_at_first(documents, pairs, rank, protected_count, lists));
  rank = std::vector<std::uint32_t>();  // {} would keep the memory

  std::vector<Decision> decisions(documents);
  const auto left = [&](DocId d) { return decisions[d].kept != kNoDocument && decisions[d].kept != d; };
  PodVector<std::uint64_t> words;
  std::vector<Entry> entries;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(pairs.run().stop.check());
    LEITONG_TRY(lists.take(partition, words));
    entries.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) entries.push_back({words[i], words[i + 1]});
    std::sort(entries.begin(), entries.end());
    for (const auto& [ranked, numbered] : entries) {
      const DocId other = low_half(ranked), stays = low_half(numbered);
      if (left(stays) || other < protected_count || left(other)) continue;
      decisions[other] = {stays, high_half(numbered)};
      decisions[stays].kept = stays;
    }
  }
  return decisions;
}

Result<std::vector<DocId>> connected_components(std::uint64_t documents, const PairStore& pairs) {
  Kinship components(documents);
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) { components.join(pair.a, pair.b); }));
  return components.take();
}

}  // namespace leitong
