// Every pair that can satisfy the rule: the exact join, slow twin of the default method.
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

/// All pairs of sets that share at least the part `share` of the smaller set, none left out (prefix
/// filtering: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007). Of a set of n elements that shares
/// x or more with a larger one, any n - x + 1 elements hold a shared one; the rarest are chosen, in whole
/// classes of document frequency, and looked up among *all* elements of the other sets. Offers supersets: the
/// sink verifies. Memory: 8 bytes an element, in Partitions, and 140 a document. Time: grows with the
/// frequency of the rarest elements, so for large corpora of common phrases it is quadratic in effect; that
/// is what the default method is for.
class PrefixJoin {
 public:
  explicit PrefixJoin(RunContext& run);

  /// Documents in rising order, with their distinct elements.
  Result<void> add(DocId document, std::span<const std::uint64_t> elements);

  /// `reachable(na, nb)` over set sizes must not refuse a pair that is wanted. `enough`: pairs that share so
  /// many elements are wanted, whatever part of the smaller set that is. Called once.
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
