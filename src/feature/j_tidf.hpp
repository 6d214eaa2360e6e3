// J-Tidf: words that always come together share their weight (Zhang Yanan et al. 2022, formulas 5 and 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/weights.hpp"

namespace leitong {

/// One document's counts of two terms.
struct CountPair {
  std::uint32_t x = 0, y = 0;
};

/// J'(x, y), formula 5: over all documents that hold x or y, the mean of min(count of x, count of y) /
/// max(..), which is 0 where one of them is missing. Never above their Jaccard coefficient over documents
/// (formula 4), equal to it where the counts agree; 1 for a term with itself. `counts` has one element for
/// each such document; 0 without any.
[[nodiscard]] double count_aware_jaccard(std::span<const CountPair> counts) noexcept;

/// The other terms of the corpus that come together with a term, with their J'.
struct Partner {
  std::uint64_t id = 0;
  float similarity = 0;
  std::uint32_t unused = 0;  ///< so that no byte of a stored row is undefined
};

/// Formula 6 over a document's candidates: w'_t = w_t / sum over s of J'(t, s), with J'(t, t) = 1: k words
/// that never come apart weigh together as one. w / k <= w' <= w for k candidates. `ids` and `partners` are
/// the candidates', in their order; a term's partners stand there once each and without itself.
void share_weights(std::span<const std::uint64_t> ids, std::span<const std::span<const Partner>> partners,
                   PodVector<Weighted>& candidates);

}  // namespace leitong
