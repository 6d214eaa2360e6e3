#include "index/hamming/join/join.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.hpp"
#include "index/hamming/join/planner.hpp"

namespace leitong::hamming {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Repetitions by their first row. Most rows have none, and a small filter says so faster than a search.
class Repeated {
 public:
  explicit Repeated(std::span<const Repetition> repetitions)
      : repetitions_(repetitions), filter_(8 * repetitions.size()) {
    for (const Repetition& repetition : repetitions) filter_.add(mix64(repetition.first));
  }
  /// The other rows with the fingerprint of row `first`.
  [[nodiscard]] std::span<const Repetition> others(std::uint64_t first) const noexcept {
    if (!filter_.may_hold(mix64(first))) return {};
    const auto before = [](const Repetition& x, std::uint64_t value) { return x.first < value; };
    const auto begin = std::lower_bound(repetitions_.begin(), repetitions_.end(), first, before);
    auto end = begin;
    while (end != repetitions_.end() && end->first == first) ++end;
    return {begin, end};
  }

 private:
  std::span<const Repetition> repetitions_;
  ValueFilter filter_;
};

/// Lists the pairs of rows for edges and repetitions.
class PairLister {
 public:
  PairLister(const RowPairsFn& each, StopToken stop) : each_(each), stop_(stop) {}

  Result<void> within(std::span<const Repetition> group) {
    for (std::size_t j = 0; j < group.size(); ++j) LEITONG_TRY(add({group[j].first, group[j].row, 0}));
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = i + 1; j < group.size(); ++j) LEITONG_TRY(add({group[i].row, group[j].row, 0}));
    return {};
  }

  Result<void> across(const RowPair& edge, std::span<const Repetition> left,
                      std::span<const Repetition> right, bool ordered) {
    for (std::size_t i = 0; i <= left.size(); ++i)
      for (std::size_t j = 0; j <= right.size(); ++j) {
        RowPair pair{i == 0 ? edge.a : left[i - 1].row, j == 0 ? edge.b : right[j - 1].row, edge.distance};
        if (ordered && pair.a > pair.b) std::swap(pair.a, pair.b);
        LEITONG_TRY(add(pair));
      }
    return {};
  }

  Result<void> finish() {
    if (batch_.empty()) return {};
    LEITONG_TRY(stop_.check());
    Result<void> taken = each_(batch_);
    batch_.clear();
    return taken;
  }

 private:
  static constexpr std::size_t kBatch = 4096;

  Result<void> add(const RowPair& pair) {
    batch_.push_back(pair);
    return batch_.size() < kBatch ? Result<void>{} : finish();
  }

  const RowPairsFn& each_;
  StopToken stop_;
  std::vector<RowPair> batch_;
};

}  // namespace

template <Fingerprint F>
Result<Joined> join(const JoinInput<F>& input, const JoinOptions& options, const Context& context) {
  Joined joined;
  joined.self_ = input.right == nullptr;
  joined.run_ = std::make_unique<RunContext>(context, options.memory);
  RunContext& run = *joined.run_;
  if (options.memory == 0) run.memory.set_documents(input.size());
  joined.edges_ = std::make_unique<RowEdges>(run, input.left.size());

  const std::uint64_t left = input.left.size(), right = input.right == nullptr ? 0 : input.right->size();
  LEITONG_ASSIGN(const std::uint64_t room, room_for_tables<F>(left, right, options.memory));
  const std::uint64_t fixed = options.memory == 0 ? 0
                                                  : room * sizeof(F) + ValueFilter::bytes(left) +
                                                        (right == 0 ? 0 : ValueFilter::bytes(right));
  LEITONG_ASSIGN(const Sample<F> sample, take_sample(input));
  LEITONG_ASSIGN(const Plan<F> plan, options.plan.empty() ? choose_plan(input.size(), options.distance, room,
                                                                        sample, options.simd)
                                                          : named_plan<F>(options.plan, options.distance));

  const auto start = std::chrono::steady_clock::now();
  EdgeLog<F> log(run, left, input.right == nullptr ? 0 : std::max<std::uint64_t>(right, 1));
  JoinFigures& figures = joined.figures_;
  {
    run.memory.hold(fixed);
    const std::vector<TablePass<F>> passes = table_passes(plan, input.size(), sample.order);
    std::vector<F> firsts;
    firsts.reserve(passes.size());
    for (const TablePass<F>& pass : passes) firsts.push_back(pass.first);
    const JoinContext<F> shared{plan, kernels<F>(options.simd), sample.order, run.stop, options.spanning};
    std::vector<DigitCounts> counts[2];
    LEITONG_ASSIGN(counts[0], count_digits<F>(input.left, firsts, shared.kernels, run.stop));
    if (input.right != nullptr) {
      LEITONG_ASSIGN(counts[1], count_digits<F>(*input.right, firsts, shared.kernels, run.stop));
    }
    TableSpace<F> space{room, {}};
    for (std::size_t i = 0; i < passes.size(); ++i) {
      std::vector<DigitCounts> of_sides;
      for (std::vector<DigitCounts>& side : counts)
        if (!side.empty()) of_sides.push_back(std::move(side[i]));
      LEITONG_ASSIGN(const CompareFigures compared,
                     join_pass<F>(input, shared, passes[i], of_sides, space, log));
      figures.compare += compared;
    }
    run.memory.release(fixed);
  }
  figures.plan = plan.name;
  figures.tables = plan.tables.size();
  figures.edges = log.edges().size() / EdgeRecord<F>::kWords;
  figures.table_seconds = seconds_since(start);
  LEITONG_TRY(bind(log, input.left, input.right, run, *joined.edges_));
  figures.bind_seconds = seconds_since(start) - figures.table_seconds;
  return joined;
}

Result<void> Joined::for_each_pair(const RowPairsFn& each) {
  PairLister lister(each, run_->stop);
  const Repeated left(edges_->repetitions(Side::left));
  const Repeated right(edges_->repetitions(self_ ? Side::left : Side::right));
  // Groups without an edge at their first row come in between.
  std::span<const Repetition> unlisted =
      self_ ? edges_->repetitions(Side::left) : std::span<const Repetition>{};
  const auto list_groups_before = [&](std::uint64_t row) -> Result<void> {
    while (!unlisted.empty() && unlisted.front().first < row) {
      const auto group = left.others(unlisted.front().first);
      LEITONG_TRY(lister.within(group));
      unlisted = unlisted.subspan(group.size());
    }
    return {};
  };
  const auto list_pairs = [&](std::span<const RowPair> edges) -> Result<void> {
    for (const RowPair& edge : edges) {
      LEITONG_TRY(list_groups_before(edge.a + 1));
      LEITONG_TRY(lister.across(edge, left.others(edge.a), right.others(edge.b), self_));
    }
    return {};
  };
  LEITONG_TRY(edges_->for_each_edge(list_pairs));
  LEITONG_TRY(list_groups_before(~std::uint64_t{0}));
  return lister.finish();
}

template Result<Joined> join(const JoinInput<Fingerprint64>&, const JoinOptions&, const Context&);
template Result<Joined> join(const JoinInput<Fingerprint128>&, const JoinOptions&, const Context&);

}  // namespace leitong::hamming
