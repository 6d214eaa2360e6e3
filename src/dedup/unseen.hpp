// Which candidates has nobody compared yet?
#pragma once

#include <initializer_list>
#include <vector>

#include "cluster/pair_store.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Those of the candidates, which are sorted by their documents, whose pairs none of the stores holds. A pair
/// that a vector's cosine alone decided is none of the rule's, and counts as not held. Reads each store once.
Result<std::vector<Candidate>> not_in(const std::vector<Candidate>& candidates,
                                      std::initializer_list<const PairStore*> stores);

}  // namespace leitong
