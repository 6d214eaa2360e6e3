#include "index/hamming/search/snapshot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong::hamming {
namespace {

/// The queries that one thread takes at once, and the number whose hits may wait for delivery.
constexpr std::size_t kBlock = 2048;
constexpr std::size_t kBlocksAtOnce = 16;

template <Fingerprint F>
bool in_order(const Hit<F>& x, const Hit<F>& y) noexcept {
  if (x.query != y.query) return x.query < y.query;
  if (x.distance != y.distance) return x.distance < y.distance;
  if (x.id != y.id) return x.id < y.id;
  return x.fingerprint < y.fingerprint;
}

/// The limits for older levels, with these hits.
template <Fingerprint F>
void lower_limits(std::span<const Hit<F>> hits, HitRule rule, std::span<std::int16_t> limits) noexcept {
  if (rule == HitRule::all) return;
  for (const Hit<F>& hit : hits) {
    std::int16_t& limit = limits[hit.query];
    limit =
        rule == HitRule::any ? std::int16_t{-1} : std::min(limit, static_cast<std::int16_t>(hit.distance));
  }
}

}  // namespace

template <Fingerprint F>
Snapshot<F>::Snapshot(std::shared_ptr<const Level<F>> level) : distance_(level->distance()), visible_(0) {
  LevelStack<F> stack;
  stack.levels.push_back(std::move(level));
  stack_ = std::make_shared<const LevelStack<F>>(std::move(stack));
}

template <Fingerprint F>
bool Snapshot<F>::removes(const MutableLevel<F>& level, const Row<F>& row) const noexcept {
  return level.removes(row, &level == stack_->active.get() ? visible_ : level.changes());
}

// Drops the hits from `first` on whose rows are removed by a level newer than the first `newer_than`.
template <Fingerprint F>
Result<void> Snapshot<F>::drop_removed(std::vector<Hit<F>>& hits, std::size_t first,
                                       std::size_t newer_than) const {
  const LevelStack<F>& stack = *stack_;
  std::size_t kept = first;
  for (std::size_t i = first; i < hits.size(); ++i) {
    const Row<F> row{hits[i].fingerprint, hits[i].id};
    bool removed = stack.active != nullptr && removes(*stack.active, row);
    const std::size_t sealed = newer_than > stack.levels.size() ? newer_than - stack.levels.size() : 0;
    for (std::size_t s = sealed; s < stack.sealed.size() && !removed; ++s)
      removed = removes(*stack.sealed[s], row);
    for (std::size_t l = newer_than; l < stack.levels.size() && !removed; ++l) {
      LEITONG_ASSIGN(removed, stack.levels[l]->removes(row));
    }
    if (!removed) hits[kept++] = hits[i];
  }
  hits.resize(kept);
  return {};
}

// From the newest level to the oldest, because newer ones may hide rows of older ones.
template <Fingerprint F>
Result<void> Snapshot<F>::search_group(std::span<const F> queries, unsigned most, HitRule rule,
                                       Scratch& scratch) const {
  const LevelStack<F>& stack = *stack_;
  std::array<std::int16_t, kGroupQueries> limit_room;
  const std::span limits = std::span(limit_room).first(queries.size());
  std::fill(limits.begin(), limits.end(), static_cast<std::int16_t>(most));
  std::vector<Hit<F>>& found = scratch.found;
  found.clear();
  if (stack.active) {
    stack.active->search(queries, limits, visible_, found);
    lower_limits<F>(found, rule, limits);
  }
  for (std::size_t s = stack.sealed.size(); s-- > 0;) {
    const std::size_t first = found.size();
    stack.sealed[s]->search(queries, limits, stack.sealed[s]->changes(), found);
    LEITONG_TRY(drop_removed(found, first, stack.levels.size() + s + 1));
    lower_limits<F>(std::span(found).subspan(first), rule, limits);
  }
  bool removals = stack.active != nullptr && stack.active->has_removals();
  for (const auto& sealed : stack.sealed) removals = removals || sealed->has_removals();
  for (std::size_t l = stack.levels.size(); l-- > 0;) {
    const std::size_t first = found.size();
    // If hits may turn out to be hidden, one of them is not enough.
    LEITONG_TRY(
        stack.levels[l]->search(queries, limits, removals ? HitRule::all : rule, scratch.level, found));
    if (removals) LEITONG_TRY(drop_removed(found, first, l + 1));
    lower_limits<F>(std::span(found).subspan(first), rule, limits);
    removals = removals || !stack.levels[l]->parts().removed.empty();
  }
  std::sort(found.begin(), found.end(), in_order<F>);
  const auto repeats = [&](const Hit<F>& x, const Hit<F>& y) {
    return rule == HitRule::all ? x == y : x.query == y.query;
  };
  found.erase(std::unique(found.begin(), found.end(), repeats), found.end());
  return {};
}

template <Fingerprint F>
Result<void> Snapshot<F>::check_distance(unsigned most) const {
  if (most <= distance_) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("distance {}: the index was built for distances up to {}; build it anew for more",
                          most, distance_));
}

template <Fingerprint F>
Result<void> Snapshot<F>::search(std::span<const F> queries, unsigned most, HitRule rule, Scratch& scratch,
                                 std::vector<Hit<F>>& hits) const {
  LEITONG_TRY(check_distance(most));
  std::size_t group = kUsualQueries;
  for (const auto& level : stack_->levels) group = std::max(group, level->best_group());
  for (std::size_t first = 0; first < queries.size(); first += group) {
    const std::size_t count = std::min(group, queries.size() - first);
    LEITONG_TRY(search_group(queries.subspan(first, count), most, rule, scratch));
    for (Hit<F>& hit : scratch.found) {
      hit.query += static_cast<std::uint32_t>(first);
      hits.push_back(hit);
    }
  }
  return {};
}

template <Fingerprint F>
Result<void> Snapshot<F>::search_batch(std::span<const F> queries, unsigned most, HitRule rule,
                                       StopToken stop, const HitsFn<F>& emit) const {
  LEITONG_TRY(check_distance(most));
  std::array<std::vector<Hit<F>>, kBlocksAtOnce> found;
  for (std::size_t begin = 0; begin < queries.size(); begin += kBlock * kBlocksAtOnce) {
    const std::span some = queries.subspan(begin, std::min(kBlock * kBlocksAtOnce, queries.size() - begin));
    const std::size_t blocks = (some.size() + kBlock - 1) / kBlock;
    const auto search_block = [&](std::size_t block, Scratch& scratch) -> Result<void> {
      const std::size_t first = block * kBlock;
      found[block].clear();
      LEITONG_TRY(search(some.subspan(first, std::min(kBlock, some.size() - first)), most, rule, scratch,
                         found[block]));
      for (Hit<F>& hit : found[block]) hit.query += static_cast<std::uint32_t>(begin + first);
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        stop, blocks, [] { return Scratch(); }, search_block));
    for (std::size_t block = 0; block < blocks; ++block)
      if (!found[block].empty()) LEITONG_TRY(emit(found[block]));
  }
  return {};
}

template class Snapshot<Fingerprint64>;
template class Snapshot<Fingerprint128>;

}  // namespace leitong::hamming
