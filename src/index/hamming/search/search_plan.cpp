#include "index/hamming/search/search_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "index/hamming/search/level_builder.hpp"
#include "index/hamming/search/probe_kernel.hpp"

namespace leitong::hamming {
namespace {

constexpr std::size_t kMostTables = 20;

// In nanoseconds, measured with the kernels for AVX-512 on the machine that docs/hamming.md names. The other
// kernels take three to six times as long to compare and as long to visit.
constexpr double kQuery = 50;  ///< for a query in any tables, with half a hit
constexpr double kVisit = 10;
constexpr double kCompare = 0.3;

/// The time for a random cache line of so many bytes, among many loads in progress. The lines after it are
/// faster.
double line(double bytes) noexcept {
  return bytes < 1e6 ? 1 : bytes < 1e7 ? 2 : bytes < 2e7 ? 5 : bytes < 5e7 ? 7 : bytes < 1e9 ? 10 : 18;
}
constexpr double kNextLine = 0.6;
constexpr double kLine = 64;

double keys_within(unsigned key_bits, unsigned radius) noexcept {
  double sum = 1, choices = 1;
  for (unsigned weight = 1; weight <= radius; ++weight) {
    choices = choices * (key_bits - weight + 1) / weight;
    sum += choices;
  }
  return sum;
}

template <Fingerprint F>
SearchCost cost_of(const Plan<F>& plan, const std::vector<TableShape<F>>& shapes, double fingerprints,
                   const Sample<F>& sample) {
  SearchCost cost{plan.name, shapes.size()};
  double directories = 0;  // bytes of all directories
  double lines = 0;        // of entries that a query reads
  for (const TableShape<F>& shape : shapes) {
    const double buckets = static_cast<double>(std::uint64_t{1} << shape.key_bits());
    const double visits =
        shape.code == BucketCode::plain ? keys_within(shape.key_bits(), shape.radius) : 15.5;
    cost.visits += visits;
    // Not all bits of a code distinguish buckets.
    const double agreeing = std::ldexp(agreeing_share(sample, shape.mask),
                                       static_cast<int>(count_ones(shape.mask) - shape.key_bits()));
    // An over-full bucket has its own tables, which cost about as much as a full bucket.
    const double bucket =
        std::min(fingerprints * agreeing, std::max<double>(kSplitAbove, fingerprints / buckets));
    cost.compared += visits * bucket;
    lines += visits * (1 + kNextLine * bucket * shape.entry_bytes() / kLine);
    directories += 4 * buckets;
    cost.bytes += shape.entry_bytes() + 4 * buckets / std::max(fingerprints, 1.0);
  }
  cost.nanoseconds = kQuery + cost.visits * (kVisit + line(directories)) +
                     lines * line(cost.bytes * fingerprints) + cost.compared * kCompare;
  return cost;
}

}  // namespace

template <Fingerprint F>
std::vector<SearchCost> search_costs(std::uint64_t fingerprints, unsigned distance, const Sample<F>& sample) {
  std::vector<SearchCost> costs;
  for (const std::string& name : plan_names<F>(distance, kMostTables)) {
    const auto plan = named_plan<F>(name, distance);
    if (!plan) continue;
    const auto shapes = level_shapes(*plan, fingerprints, sample.order);
    if (shapes) costs.push_back(cost_of(*plan, *shapes, static_cast<double>(fingerprints), sample));
  }
  std::stable_sort(costs.begin(), costs.end(),
                   [](const SearchCost& x, const SearchCost& y) { return x.nanoseconds < y.nanoseconds; });
  return costs;
}

Result<void> check_search_distance(unsigned distance) {
  if (distance <= kMaxDistance) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("distance {}: an index searches within {} bits at most", distance, kMaxDistance));
}

template <Fingerprint F>
Result<Plan<F>> choose_search_plan(std::uint64_t fingerprints, unsigned distance, double most_bytes,
                                   const Sample<F>& sample) {
  LEITONG_TRY(check_search_distance(distance));
  // No fingerprints group better than uniform ones, so most plans are excluded before the sample is used,
  // whose sorting costs more than a small merge. (They use the order of the sample, so that the key bits are
  // the same.)
  const Sample<F> uniform{{}, sample.order};
  std::optional<Plan<F>> best;
  double nanoseconds = std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  for (const SearchCost& bound : search_costs<F>(fingerprints, distance, uniform)) {
    least = std::min(least, bound.bytes);
    if (bound.bytes > most_bytes || bound.nanoseconds >= nanoseconds) continue;
    LEITONG_ASSIGN(Plan<F> plan, named_plan<F>(bound.plan, distance));
    LEITONG_ASSIGN(const auto shapes, level_shapes(plan, fingerprints, sample.order));
    const double real = cost_of(plan, shapes, static_cast<double>(fingerprints), sample).nanoseconds;
    if (real >= nanoseconds) continue;
    nanoseconds = real;
    best = std::move(plan);
  }
  if (best) return *std::move(best);
  return fail(
      ErrorCode::limit,
      fmt::format("no index takes {:.1f} bytes a fingerprint; the smallest takes {:.1f}", most_bytes, least));
}

template std::vector<SearchCost> search_costs(std::uint64_t, unsigned, const Sample<Fingerprint64>&);
template std::vector<SearchCost> search_costs(std::uint64_t, unsigned, const Sample<Fingerprint128>&);
template Result<Plan<Fingerprint64>> choose_search_plan(std::uint64_t, unsigned, double,
                                                        const Sample<Fingerprint64>&);
template Result<Plan<Fingerprint128>> choose_search_plan(std::uint64_t, unsigned, double,
                                                         const Sample<Fingerprint128>&);

}  // namespace leitong::hamming
