#include "trim/base_parts.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "text/text_parts.hpp"

namespace leitong {
namespace {

std::pair<std::uint64_t, std::uint64_t> order_of(const PartHash& hash) { return {hash.high, hash.low}; }

}  // namespace

void BaseParts::add(std::string_view utf8) {
  PodVector<Unit> units;
  if (part_ == TextPart::passage) {
    to_units(utf8, units);
    RunKeys(least_).append_keys(units, keys_);
    texts_.emplace_back(units.begin(), units.end());
    return;
  }
  std::vector<ByteRange> parts;
  split_parts(utf8, part_, parts);
  for (const ByteRange& part : parts) {
    fold_units(utf8.substr(part.begin, part.size()), Marks::fold, units);
    if (units.size() >= least_) hashes_.push_back(hash_of_units(units.data(), units.size()));
  }
}

void BaseParts::finish() {
  if (part_ == TextPart::passage) {
    // The keys of a text are those of all its runs.
    filter_.emplace(keys_.size());
    for (const std::uint64_t key : keys_) filter_->add(key);
    RunKeys keys(least_);
    PodVector<PartHash> runs;
    for (const std::vector<Unit>& units : std::exchange(texts_, {})) {
      if (units.size() < least_) continue;
      keys.hash_runs(units, 0, units.size() - least_ + 1, runs);
      hashes_.insert(hashes_.end(), runs.begin(), runs.end());
    }
    keys_ = {};
  }
  std::ranges::sort(hashes_, {}, order_of);
  const auto repeated = std::ranges::unique(
      hashes_, [](const PartHash& x, const PartHash& y) { return order_of(x) == order_of(y); });
  hashes_.erase(repeated.begin(), repeated.end());
}

std::uint64_t BaseParts::hash() const noexcept {
  return XXH3_64bits(hashes_.data(), hashes_.size() * sizeof(PartHash));
}

bool BaseParts::holds(const PartHash& hash) const noexcept {
  return std::ranges::binary_search(hashes_, order_of(hash), {}, order_of);
}

std::vector<BaseParts::Stretch> BaseParts::covered_in(std::span<const Unit> units, RunKeys& keys) const {
  std::vector<Stretch> covered;
  PodVector<RunSegment> segments;
  PodVector<PartHash> runs;
  keys.segments_in(units, *filter_, segments);
  for (const RunSegment& segment : segments) {
    keys.hash_runs(units, segment.at, segment.count, runs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!holds(runs[i])) continue;
      const std::size_t at = segment.at + i;
      if (!covered.empty() && at <= covered.back().end)
        covered.back().end = at + least_;
      else
        covered.push_back({at, at + least_});
    }
  }
  return covered;
}

void BaseParts::leave_out(std::span<const Unit> units, RunKeys& keys, PodVector<RunSegment>& segments) const {
  if (hashes_.empty() || segments.empty()) return;
  const std::vector<Stretch> covered = covered_in(units, keys);
  if (covered.empty()) return;
  PodVector<RunSegment> left;
  auto next = covered.begin();
  for (const RunSegment& segment : segments) {
    const std::size_t end = std::size_t{segment.at} + segment.count;
    for (std::size_t at = segment.at; at < end;) {
      while (next != covered.end() && next->end <= at) ++next;
      // The first run from here on that overlaps with the base.
      std::size_t stop = end;
      if (next != covered.end())
        stop = std::clamp(next->begin + 1 > least_ ? next->begin + 1 - least_ : 0, at, end);
      if (stop > at)
        left.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop - at), segment.key,
                        hash_of_units(units.data() + at, stop - at - 1 + least_)});
      at = stop < end ? next->end : end;
    }
  }
  segments = std::move(left);
}

}  // namespace leitong
