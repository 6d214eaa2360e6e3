// J-Tidf: words that always occur together share their weight (Zhang Yanan et al. 2022, formulas 5 and 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "feature/weights.hpp"

namespace leitong {

/// A term y of the corpus that occurs together with another term x. `similarity` is their J', formula 5: over
/// all documents that hold x or y, the mean of min(count of x, count of y) / max(count of x, count of y),
/// which is 0 if one of them is missing. Never above their Jaccard coefficient over documents (formula 4),
/// and equal to it if the counts agree.
struct Partner {
  std::uint64_t id = 0;
  float similarity = 0;
  std::uint32_t unused = 0;  ///< padding, so that no byte of a stored row is undefined
};

/// Formula 6 over a document's candidates: w'_t = w_t / sum over s of J'(t, s), with J'(t, t) = 1: k words
/// that always occur together have the weight of one. w / k <= w' <= w for k candidates. `ids` and `partners`
/// belong to the candidates, in their order; the partners of a term are distinct and do not include the term.
void share_weights(std::span<const std::uint64_t> ids, std::span<const std::span<const Partner>> partners,
                   PodVector<Weighted>& candidates);

}  // namespace leitong
