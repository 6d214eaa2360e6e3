#include "index/hamming/join/planner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/memory.hpp"
#include "base/try.hpp"
#include "index/hamming/unique.hpp"

namespace leitong::hamming {
namespace {

/// This share of what the budget leaves is for the tables, and the rest for edges.
constexpr std::uint64_t kTableShare = 3, kOfShares = 4;
constexpr std::uint64_t kSample = 32768;
/// At most one fingerprint in so many: the sample of a small input must not cost more than its join.
constexpr std::uint64_t kSampleOf = 128, kLeastSample = 1024;
/// Plans with more tables move more than they save, at every measured size.
constexpr std::size_t kMostPlanned = 150;

/// The most bits of a digit for which the lines of a scatter fit in the near caches, and the pages behind
/// them in the TLB.
constexpr unsigned kNearDigit = 10;
/// A core's share of the shared cache.
constexpr std::uint64_t kNearBytes = 8 << 20;

/// The number of values of `bits` bits with at most `radius` ones.
double ball(unsigned bits, unsigned radius) {
  double sum = 1, choose = 1;
  for (unsigned i = 0; i < std::min(bits, radius); ++i) {
    choose = choose * (bits - i) / (i + 1);
    sum += choose;
  }
  return sum;
}

template <Fingerprint F>
PlanCost cost_of(const Plan<F>& plan, std::uint64_t size, std::uint64_t room, const Sample<F>& sample,
                 const CostModel& model) {
  PlanCost cost;
  cost.plan = plan.name;
  cost.tables = plan.tables.size();
  cost.passes = (size + room - 1) / std::max<std::uint64_t>(room, 1);
  const auto n = static_cast<double>(size);
  const double pairs = n * (n - 1) / 2;
  double move = 0, compare = 0;
  for (const TablePass<F>& pass : table_passes(plan, size, sample.order)) {
    const unsigned digit = count_ones(pass.first);
    const double far = digit > kNearDigit ? model.far * (digit - kNearDigit) : 0;
    move += n * (model.read * static_cast<double>(cost.passes) + model.scatter + far);
    for (const std::size_t number : pass.tables) {
      const Table<F>& table = plan.tables[number];
      move += n * model.group;
      // A table without a radius groups its partitions further, but only as far as it helps.
      const unsigned bits = table.radius > 0
                                ? count_ones(pass.first | pass.rest)
                                : std::min(table.key_bits(), digit + bits_to_group_by(size >> digit));
      const double neighbours = ball(bits, table.radius);
      const double share = agreeing_share(sample, sample.order.best(table.key, bits));
      double compared = pairs * share * neighbours;
      // Crowds are split further, which costs about as much again as moving them, for each of distance + 1
      // keys.
      const double split = n * (plan.distance + 1) * 64;
      compared = std::min(
          {compared, pairs, std::max(split, pairs * neighbours * std::ldexp(1.0, -static_cast<int>(bits)))});
      cost.compared += compared;
      const bool large = n * share > kSmallBucket;
      compare += compared * (large || table.radius > 0 ? model.scan : model.compare);
      if (large && table.radius == 0) move += n * model.crowd;
      if (table.radius > 0) move += std::ldexp(1.0, static_cast<int>(bits)) * neighbours * model.visit;
    }
  }
  cost.move_seconds = move * 1e-9;
  cost.compare_seconds = compare * 1e-9;
  cost.row_seconds = n * (ValueFilter::bytes(size) <= kNearBytes ? model.row : model.far_row) * 1e-9;
  return cost;
}

}  // namespace

template <Fingerprint F>
double agreeing_share(const Sample<F>& sample, F key) {
  const double chance = std::ldexp(1.0, -static_cast<int>(count_ones(key)));
  if (sample.values.size() < 2) return chance;
  std::vector<F> keys(sample.values.size());
  std::transform(sample.values.begin(), sample.values.end(), keys.begin(),
                 [&](F value) { return value & key; });
  std::sort(keys.begin(), keys.end());
  double pairs = 0;
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    end = begin + 1;
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    pairs += static_cast<double>(end - begin) * static_cast<double>(end - begin - 1) / 2;
  }
  const auto n = static_cast<double>(keys.size());
  return std::max(chance, pairs / (n * (n - 1) / 2));
}

template <Fingerprint F>
Result<std::uint64_t> room_for_tables(std::uint64_t left, std::uint64_t right, std::uint64_t memory) {
  const std::uint64_t all = std::max<std::uint64_t>(left + right, 1);
  if (memory == 0) return all;
  const std::uint64_t least =
      MemoryBudget::least(0) + ValueFilter::bytes(left) + (right == 0 ? 0 : ValueFilter::bytes(right));
  if (memory < least)
    return fail(ErrorCode::limit,
                fmt::format("a join of {} fingerprints needs {} bytes at least, and {} are allowed",
                            left + right, least, memory));
  const std::uint64_t room = (memory - least) / kOfShares * kTableShare + MemoryBudget::kLeastBuffers / 2;
  return std::min(all, room / sizeof(F));
}

std::vector<std::uint64_t> sampled_rows(std::uint64_t rows) {
  const std::uint64_t count = std::min(rows, std::clamp(rows / kSampleOf, kLeastSample, kSample));
  std::vector<std::uint64_t> chosen(count);
  for (std::uint64_t i = 0; i < count; ++i) chosen[i] = i * (rows / count) + i * (rows % count) / count;
  return chosen;
}

template <Fingerprint F>
Sample<F> sample_of(std::vector<F> values) {
  PodVector<std::uint32_t> slots;
  values.resize(keep_unique(std::span<F>(values), slots, [](F) {}));
  BitOrder<F> order{std::span<const F>(values)};
  return {std::move(values), std::move(order)};
}

template <Fingerprint F>
Result<Sample<F>> take_sample(const JoinInput<F>& input) {
  std::vector<F> values;
  PodVector<F> space;
  const std::uint64_t left = input.left.size();
  for (const std::uint64_t row : sampled_rows(input.size())) {
    const bool in_right = input.right != nullptr && row >= left;
    const Source<F>& source = in_right ? *input.right : input.left;
    LEITONG_ASSIGN(const std::span<const F> value, source.read(in_right ? row - left : row, 1, space));
    values.push_back(value[0]);
  }
  return sample_of(std::move(values));
}

template <Fingerprint F>
Result<Sample<F>> take_sample(const RowSource<F>& source) {
  std::vector<Row<F>> rows;
  for (const std::uint64_t row : sampled_rows(source.size()))
    if (Result<void> read = source.read(row, 1, rows); !read) return tl::unexpected(std::move(read).error());
  std::vector<F> values;
  values.reserve(rows.size());
  for (const Row<F>& row : rows) values.push_back(row.fingerprint);
  return sample_of(std::move(values));
}

template <Fingerprint F>
Sample<F> uniform_sample() {
  return {{}, BitOrder<F>(std::span<const F>())};
}

template <Fingerprint F>
CostModel cost_model(Simd simd) noexcept {
  const double words = kWords<F>;
  switch (simd) {
    case Simd::avx512:
      return {1.0 * words,  1.8 * words, 0.6 * words, 5.5 * words, 0.07 * words,
              0.15 * words, 13 * words,  6,           5,           15};
    case Simd::avx2:
      return {1.0 * words, 1.8 * words, 0.6 * words, 5.5 * words, 0.25 * words,
              0.4 * words, 13 * words,  8,           5,           15};
    case Simd::scalar:
      break;
  }
  return {2.5 * words, 3.5 * words, 0.6 * words, 7.0 * words, 1.5 * words,
          1.5 * words, 20 * words,  20,          6,           16};
}

namespace {

template <Fingerprint F>
std::vector<Plan<F>> candidate_plans(std::uint64_t size, unsigned distance, std::uint64_t room) {
  std::vector<Plan<F>> plans;
  for (const std::string& name : plan_names<F>(distance, kMostPlanned)) {
    Result<Plan<F>> plan = named_plan<F>(name, distance);
    if (!plan) continue;
    const bool radii = std::any_of(plan->tables.begin(), plan->tables.end(),
                                   [](const Table<F>& table) { return table.radius > 0; });
    if (!radii || room >= size) plans.push_back(*std::move(plan));
  }
  return plans;
}

}  // namespace

template <Fingerprint F>
std::vector<PlanCost> plan_costs(std::uint64_t size, unsigned distance, std::uint64_t room,
                                 const Sample<F>& sample, Simd simd) {
  std::vector<PlanCost> costs;
  for (const Plan<F>& plan : candidate_plans<F>(size, distance, room))
    costs.push_back(cost_of(plan, size, room, sample, cost_model<F>(simd)));
  std::stable_sort(costs.begin(), costs.end(),
                   [](const PlanCost& x, const PlanCost& y) { return x.seconds() < y.seconds(); });
  return costs;
}

template <Fingerprint F>
Result<Plan<F>> choose_plan(std::uint64_t size, unsigned distance, std::uint64_t room,
                            const Sample<F>& sample, Simd simd) {
  // So few fingerprints are compared faster than a plan is made.
  if (distance > kMaxDistance || size < 64) return named_plan<F>("scan", distance);
  const CostModel model = cost_model<F>(simd);
  std::vector<Plan<F>> plans = candidate_plans<F>(size, distance, room);
  // No fingerprints group better than uniform ones, so most plans are excluded before the sample is used.
  const Sample<F> uniform{{}, sample.order};
  std::vector<std::pair<double, std::size_t>> least;
  for (std::size_t i = 0; i < plans.size(); ++i)
    least.emplace_back(cost_of(plans[i], size, room, uniform, model).seconds(), i);
  std::sort(least.begin(), least.end());
  double best = 0;
  std::size_t chosen = plans.size();
  for (const auto& [bound, i] : least) {
    if (chosen != plans.size() && bound >= best) break;
    const double seconds = cost_of(plans[i], size, room, sample, model).seconds();
    if (chosen != plans.size() && seconds >= best) continue;
    best = seconds;
    chosen = i;
  }
  return std::move(plans[chosen]);
}

template double agreeing_share(const Sample<Fingerprint64>&, Fingerprint64);
template double agreeing_share(const Sample<Fingerprint128>&, Fingerprint128);
template Result<std::uint64_t> room_for_tables<Fingerprint64>(std::uint64_t, std::uint64_t, std::uint64_t);
template Result<std::uint64_t> room_for_tables<Fingerprint128>(std::uint64_t, std::uint64_t, std::uint64_t);
template Sample<Fingerprint64> sample_of(std::vector<Fingerprint64>);
template Sample<Fingerprint128> sample_of(std::vector<Fingerprint128>);
template Result<Sample<Fingerprint64>> take_sample(const JoinInput<Fingerprint64>&);
template Result<Sample<Fingerprint128>> take_sample(const JoinInput<Fingerprint128>&);
template Result<Sample<Fingerprint64>> take_sample(const RowSource<Fingerprint64>&);
template Result<Sample<Fingerprint128>> take_sample(const RowSource<Fingerprint128>&);
template Sample<Fingerprint64> uniform_sample();
template Sample<Fingerprint128> uniform_sample();
template CostModel cost_model<Fingerprint64>(Simd) noexcept;
template CostModel cost_model<Fingerprint128>(Simd) noexcept;
template std::vector<PlanCost> plan_costs(std::uint64_t, unsigned, std::uint64_t,
                                          const Sample<Fingerprint64>&, Simd);
template std::vector<PlanCost> plan_costs(std::uint64_t, unsigned, std::uint64_t,
                                          const Sample<Fingerprint128>&, Simd);
template Result<Plan<Fingerprint64>> choose_plan(std::uint64_t, unsigned, std::uint64_t,
                                                 const Sample<Fingerprint64>&, Simd);
template Result<Plan<Fingerprint128>> choose_plan(std::uint64_t, unsigned, std::uint64_t,
                                                  const Sample<Fingerprint128>&, Simd);

}  // namespace leitong::hamming
