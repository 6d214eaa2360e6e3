#include "dedup/unseen.hpp"

#include <utility>

#include "base/try.hpp"

namespace leitong {

Result<std::vector<Candidate>> not_in(const std::vector<Candidate>& candidates,
                                      std::initializer_list<const PairStore*> stores) {
  std::vector<Candidate> left = candidates;
  for (const PairStore* store : stores) {
    std::vector<Candidate> unseen;
    auto next = left.cbegin();
    LEITONG_TRY(store->for_each([&](const VerifiedPair& p) {
      if (p.measure == Measure::cosine) return;
      const Candidate pair{p.a, p.b};
      while (next != left.cend() && by_documents(*next, pair)) unseen.push_back(*next++);
      if (next != left.cend() && !by_documents(pair, *next)) ++next;
    }));
    unseen.insert(unseen.end(), next, left.cend());
    left = std::move(unseen);
  }
  return left;
}

}  // namespace leitong
