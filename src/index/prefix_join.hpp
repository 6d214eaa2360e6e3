// Finds every pair that can satisfy the rule: the exact join, a slow reference for the default method.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/candidates.hpp"
#include "base/pod_vector.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// All pairs of sets that share at least the part `share` of the smaller set, without exception (prefix
/// filtering: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007). If a set of n elements shares at
/// least x with a larger one, any n - x + 1 of its elements include a shared one. The rarest are chosen, in
/// whole classes of document frequency, and looked up among *all* elements of the other sets. Offers a
/// superset: the sink verifies. Memory: 8 bytes an element, in Partitions, and 140 a document. The time grows
/// with the frequency of the rarest elements, so it is quadratic in effect for large corpora of common
/// phrases; use the default method for these.
class PrefixJoin {
 public:
  explicit PrefixJoin(RunContext& run);

  /// Adds documents in ascending order, with their distinct elements.
  Result<void> add(DocId document, std::span<const std::uint64_t> elements);

  /// `reachable(na, nb)` of set sizes must be true for every wanted pair. `enough`: pairs that share so many
  /// elements are wanted, even if this is a small share of the smaller set. Call it once.
  Result<void> find(CandidateSink& sink, double share,
                    const std::function<bool(std::uint32_t, std::uint32_t)>& reachable,
                    std::uint32_t enough = UINT32_MAX);

  [[nodiscard]] std::uint64_t elements() const noexcept { return entries_.size(); }
  [[nodiscard]] std::uint64_t distinct_pairs() const noexcept { return distinct_pairs_; }

 private:
  RunContext& run_;
  Partitions entries_;
  Partitions::Writer writer_;
  PodVector<std::uint32_t> sizes_;
  std::uint64_t distinct_pairs_ = 0;
};

}  // namespace leitong
