// Finds the tables that answer queries fastest.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "index/hamming/join/planner.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/search/table_code.hpp"

namespace leitong::hamming {

/// The expected cost of a plan for an index, for queries that resemble its fingerprints.
struct SearchCost {
  std::string plan;
  std::size_t tables = 0;
  double visits = 0;       ///< buckets that a query visits
  double compared = 0;     ///< fingerprints with which a query is compared
  double nanoseconds = 0;  ///< for a query of a batch, on one core of the machine that docs/hamming.md names
  double bytes = 0;        ///< for a fingerprint, without its id
};

/// The named plans that an index can use, fastest first. The sample tells how skewed its fingerprints are.
template <Fingerprint F>
[[nodiscard]] std::vector<SearchCost> search_costs(std::uint64_t fingerprints, unsigned distance,
                                                   const Sample<F>& sample = uniform_sample<F>());

/// Fails with invalid_argument for a distance above kMaxDistance.
Result<void> check_search_distance(unsigned distance);

/// The fastest plan that takes at most `most_bytes` a fingerprint. Fails as check_search_distance(), and with
/// limit, naming the smallest plan, if none is small enough.
template <Fingerprint F>
Result<Plan<F>> choose_search_plan(std::uint64_t fingerprints, unsigned distance,
                                   double most_bytes = std::numeric_limits<double>::infinity(),
                                   const Sample<F>& sample = uniform_sample<F>());

}  // namespace leitong::hamming
