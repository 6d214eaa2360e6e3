// Which tables answer queries quickest?
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "index/hamming/join/planner.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// What a plan is expected to cost an index, for queries that are like the fingerprints it holds.
struct SearchCost {
  std::string plan;
  std::size_t tables = 0;
  double visits = 0;       ///< buckets a query looks at
  double compared = 0;     ///< fingerprints a query is compared with
  double nanoseconds = 0;  ///< a query of a batch, on one core of the machine that docs/hamming.md names
  double bytes = 0;        ///< a fingerprint, without its id
};

/// The named plans that an index can use, quickest first. The sample tells how skewed its fingerprints are.
template <Fingerprint F>
[[nodiscard]] std::vector<SearchCost> search_costs(std::uint64_t fingerprints, unsigned distance,
                                                   const Sample<F>& sample = uniform_sample<F>());

/// Fails with invalid_argument for a distance above kMaxDistance.
Result<void> check_search_distance(unsigned distance);

/// The quickest plan that takes at most `most_bytes` a fingerprint. Fails as check_search_distance(),
/// and with limit, naming the smallest one, if no plan is that small.
template <Fingerprint F>
Result<Plan<F>> choose_search_plan(std::uint64_t fingerprints, unsigned distance,
                                   double most_bytes = std::numeric_limits<double>::infinity(),
                                   const Sample<F>& sample = uniform_sample<F>());

}  // namespace leitong::hamming
