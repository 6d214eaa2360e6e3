#include "index/hamming_join.hpp"

#include <vector>

#include "index/hamming/join.hpp"

namespace leitong {

Result<HammingJoinFigures> hamming_join(std::span<const std::uint64_t> fingerprints, unsigned distance,
                                        const HammingPairsFn& emit) {
  const hamming::MemorySource<hamming::Fingerprint64> source(fingerprints);
  hamming::JoinOptions options;
  options.distance = distance;
  LEITONG_ASSIGN(hamming::Joined joined, hamming::join<hamming::Fingerprint64>({source}, options));
  HammingJoinFigures figures{joined.figures().compare.compared, joined.figures().compare.splits, 0};
  std::vector<HammingPair> batch;
  LEITONG_TRY(joined.for_each_pair([&](std::span<const hamming::RowPair> pairs) {
    batch.clear();
    for (const hamming::RowPair& pair : pairs)
      batch.push_back(
          {static_cast<std::uint32_t>(pair.a), static_cast<std::uint32_t>(pair.b), pair.distance});
    figures.pairs += batch.size();
    return emit(batch);
  }));
  return figures;
}

}  // namespace leitong
