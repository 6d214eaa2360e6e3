#include "similarity/own_runs.hpp"

#include <algorithm>
#include <vector>

namespace leitong {
namespace {

// All figures were chosen on labelled corpora of pages with templates, and lie on plateaus (docs/methods.md).
constexpr double kMostOwn = .15;            // of the positions, in own runs
constexpr std::uint32_t kEndSlack = 8;      // positions
constexpr double kLeastRest = .5;           // of the positions
constexpr double kLeastEnd = .05;           // of the positions, and kOwnRun
constexpr double kMostEnds = .40;           // of the positions, both together
constexpr std::uint32_t kLongRest = 1'200;  // positions

struct Run {
  std::uint32_t begin, end;
};

bool rest_is_same_work(const OwnRuns& runs) noexcept {
  return runs.own_between < kMostOwn * runs.rest() && runs.rest() >= kLeastRest * runs.positions;
}

bool stands_inside(const OwnRuns& runs) noexcept {
  const double least = std::max<double>(kOwnRun, kLeastEnd * runs.positions);
  return runs.lead >= least && runs.tail >= least && runs.lead + runs.tail <= kMostEnds * runs.positions;
}

}  // namespace

OwnRuns own_runs(std::span<const std::uint32_t> ordered, const HashLookup& other) {
  OwnRuns result;
  const auto n = static_cast<std::uint32_t>(ordered.size());
  result.positions = n;
  std::vector<Run> runs;
  // A run is long enough if it covers a whole window of kOwnRun positions. A window is examined from its end
  // up to the last shared position. If most positions are shared, only one in kOwnRun is examined (the
  // skipping of Boyer and Moore 1977). No position is examined twice.
  for (std::uint32_t begin = 0, seen = 0; n - begin >= kOwnRun;) {
    std::uint32_t end = begin + kOwnRun, at = end;
    while (at > seen && !other.contains(ordered[at - 1])) --at;
    if (at > seen) {  // ordered[at - 1] is shared
      begin = at;
      seen = end;
      continue;
    }
    while (end < n && !other.contains(ordered[end])) ++end;
    runs.push_back({begin, end});
    result.own += end - begin;
    begin = seen = std::min(end + 1, n);
  }
  auto first = runs.begin(), last = runs.end();
  for (; first != last && first->begin <= result.lead + kEndSlack; ++first) result.lead = first->end;
  for (; first != last && last[-1].end + kEndSlack >= n - result.tail; --last)
    result.tail = n - last[-1].begin;
  for (; first != last; ++first) result.own_between += first->end - first->begin;
  return result;
}

bool is_same_work(const OwnRuns& a, const OwnRuns& b) noexcept {
  return a.own < kMostOwn * a.positions && b.own < kMostOwn * b.positions;
}

bool may_be_same_work(const OwnRuns& runs) noexcept {
  return runs.own < kMostOwn * runs.positions || rest_is_same_work(runs);
}

bool has_few_own(std::size_t positions, std::size_t shared) noexcept {
  return static_cast<double>(positions - shared) < kMostOwn * static_cast<double>(positions);
}

bool is_reprint(const OwnRuns& a, const OwnRuns& b) noexcept {
  if (!rest_is_same_work(a) || !rest_is_same_work(b)) return false;
  return std::min(a.rest(), b.rest()) >= kLongRest || (stands_inside(a) && stands_inside(b));
}

bool is_reprint_of_sites(const OwnRuns& a, const OwnRuns& b) noexcept {
  return rest_is_same_work(a) && rest_is_same_work(b) && std::min(a.rest(), b.rest()) >= kOwnRun;
}

}  // namespace leitong
