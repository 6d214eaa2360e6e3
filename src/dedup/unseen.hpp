// Finds the candidates that have not been compared yet.
#pragma once

#include <span>
#include <vector>

#include "cluster/pair_store.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Returns those of the candidates, which are sorted by their documents, whose pairs the store does not hold.
/// A pair that only the cosine of its vectors decided does not count as held, since the rule has not decided
/// it. Reads the store once.
Result<std::vector<Candidate>> not_in(const PairStore& store, std::span<const Candidate> candidates);

}  // namespace leitong
