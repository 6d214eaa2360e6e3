#include "dedup/unseen.hpp"

#include "base/try.hpp"

namespace leitong {

Result<std::vector<Candidate>> not_in(const PairStore& store, std::span<const Candidate> candidates) {
  std::vector<Candidate> unseen;
  auto next = candidates.begin();
  LEITONG_TRY(store.for_each([&](const VerifiedPair& p) {
    if (p.measure == Measure::cosine) return;
    const Candidate pair{p.a, p.b};
    while (next != candidates.end() && by_documents(*next, pair)) unseen.push_back(*next++);
    if (next != candidates.end() && !by_documents(pair, *next)) ++next;
  }));
  unseen.insert(unseen.end(), next, candidates.end());
  return unseen;
}

}  // namespace leitong
