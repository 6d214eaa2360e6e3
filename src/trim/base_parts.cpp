#include "trim/base_parts.hpp"

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
    PodVector<std::uint32_t> runs;
    for (const std::vector<Unit>& units : std::exchange(texts_, {})) {
      keys.runs_in(units, *filter_, runs);
      for (const std::uint32_t run : runs) hashes_.push_back(keys.hash_of(run));
    }
    keys_ = {};
  }
  std::ranges::sort(hashes_, {}, order_of);
  const auto repeated = std::ranges::unique(
      hashes_, [](const PartHash& x, const PartHash& y) { return order_of(x) == order_of(y); });
  hashes_.erase(repeated.begin(), repeated.end());
}

bool BaseParts::holds(const PartHash& hash) const noexcept {
  return std::ranges::binary_search(hashes_, order_of(hash), {}, order_of);
}

void BaseParts::cover(std::span<const Unit> units, RunKeys& keys, std::vector<Stretch>& covered) const {
  covered.clear();
  if (hashes_.empty()) return;
  PodVector<std::uint32_t> runs;
  keys.runs_in(units, *filter_, runs);
  for (const std::uint32_t run : runs) {
    if (!holds(keys.hash_of(run))) continue;
    if (!covered.empty() && run <= covered.back().end)
      covered.back().end = run + least_;
    else
      covered.push_back({run, run + least_});
  }
}

}  // namespace leitong
