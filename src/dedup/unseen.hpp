// Finds the candidates that have not been compared yet.
#pragma once

#include <initializer_list>
#include <vector>

#include "cluster/pair_store.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Returns those of the candidates, which are sorted by their documents, whose pairs none of the stores
/// holds. A pair that only the cosine of its vectors decided does not count as held, since the rule has not
/// decided it. Reads each store once.
Result<std::vector<Candidate>> not_in(const std::vector<Candidate>& candidates,
                                      std::initializer_list<const PairStore*> stores);

}  // namespace leitong
