#include "cluster/covering.hpp"

#include "base/ranks.hpp"
#include "base/try.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {

Result<std::vector<std::uint32_t>> covering_ranks(const PairStore& pairs, std::span<const Copy> copies,
                                                  std::span<const std::uint32_t> units, DocId protected_count,
                                                  const LossLimits& limits) {
  // References come first, so a group with a reference has one as its original.
  const auto may_leave_at_all = [&](DocId d) { return d >= protected_count; };
  // For each original: units of its group, if the group leaves.
  std::vector<std::uint64_t> leaving(units.size());
  std::vector<std::uint64_t> covered(units.size());
  for (DocId d = 0; d < units.size(); ++d)
    if (may_leave_at_all(d)) leaving[d] = units[d];
  for (const Copy& c : copies) {
    if (!may_leave_at_all(c.copy)) continue;
    covered[c.original] += units[c.copy];
    if (may_leave_at_all(c.original)) leaving[c.original] += units[c.copy];
  }
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair, const PairLosses& losses) {
    if (may_leave(limits, pair.measure, losses.a)) covered[pair.b] += leaving[pair.a];
    if (may_leave(limits, pair.measure, losses.b)) covered[pair.a] += leaving[pair.b];
  }));
  for (const Copy& c : copies) covered[c.copy] = covered[c.original];
  return ranks_by(units.size(), [&](DocId x, DocId y) {
    return covered[x] != covered[y] ? covered[x] > covered[y] : units[x] > units[y];
  });
}

}  // namespace leitong
