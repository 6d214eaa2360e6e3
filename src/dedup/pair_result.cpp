#include "dedup/pair_result.hpp"

#include "base/ranks.hpp"
#include "base/try.hpp"

namespace leitong {

RecallEstimate recall_of(const Audit& audit) noexcept {
  const Interval interval = audit.direct_interval();
  static_assert(kConfidence == RecallEstimate::kConfidence);
  return {.sampled = audit.sampled_documents,
          .pairs = audit.pairs,
          .found = audit.direct,
          .linked = audit.linked,
          .both_stay = audit.both_stay,
          .all_sampled = audit.all_documents,
          .low = interval.low,
          .high = interval.high};
}

Result<std::vector<bool>> PairResult::paired() const {
  std::vector<bool> paired(table.units.size());
  LEITONG_TRY(pairs->for_each([&](const VerifiedPair& p) { paired[p.a] = paired[p.b] = true; }));
  for (const Copy& c : copies) paired[c.copy] = paired[c.original] = true;
  return paired;
}

Result<Precedence> longest_first(const DocumentTable& table, const std::vector<bool>&) {
  return Precedence{
      ranks_by(table.units.size(), [&](DocId x, DocId y) { return table.units[x] > table.units[y]; }), 0};
}

}  // namespace leitong
